import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Connection, openStream } from '../../src/ui/live/stream.ts';

const HOUR_MS = 3_600_000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A line that can be away; what is sent over it reaches the page. */
function line() {
  let isAway = false;
  let tries = 0;
  let send: (text: string) => void = () => {};
  let breaks: () => void = () => {};
  vi.stubGlobal('fetch', async (_url: string, { signal }: { signal: AbortSignal }) => {
    tries += 1;
    if (isAway) throw new TypeError('fetch failed');
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (text) => controller.enqueue(new TextEncoder().encode(text));
        breaks = () => controller.error(new Error('broke'));
        signal.addEventListener('abort', () => {
          try {
            controller.error(new Error('ended'));
          } catch {
            // It has broken before.
          }
        });
      },
    });
    return new Response(body, { status: 200 });
  });
  return {
    tries: () => tries,
    send: (text: string) => send(text),
    cut() {
      isAway = true;
      breaks();
    },
    mend() {
      isAway = false;
    },
  };
}

test('CON-99: a stream that was away for an hour comes back by itself within seconds, tells one gap, and hears what comes', async () => {
  const way = line();
  const states: Connection[] = [];
  const goals: string[] = [];
  let gaps = 0;
  const stream = openStream({
    onGoal: ({ goalId }) => void goals.push(goalId),
    onText: () => {},
    onOutput: () => {},
    onConnection: (state) => void states.push(state),
    onGap: () => {
      gaps += 1;
    },
    onRefused: () => expect.unreachable(),
  });
  await vi.advanceTimersByTimeAsync(10);
  expect(states.at(-1)).toEqual({ state: 'live' });
  const cutAt = new Date().toISOString();
  way.cut();
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  // The time of the shown data stays, however often it tries; it tries four times a minute.
  expect(states.at(-1)).toMatchObject({ state: 'offline', since: cutAt });
  expect(way.tries()).toBeGreaterThan(200);
  expect(way.tries()).toBeLessThan(260);
  expect(gaps).toBe(0);

  way.mend();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(states.at(-1)).toEqual({ state: 'live' });
  expect(gaps).toBe(1);
  way.send('event: goal.changed\ndata: {"goal":{"goalId":"g-1"}}\n\n');
  await vi.advanceTimersByTimeAsync(10);
  expect(goals).toEqual(['g-1']);
  stream.close();
});

test('CON-99: a line that falls silent is left after forty seconds', async () => {
  const way = line();
  const states: string[] = [];
  const stream = openStream({
    ...{ onGoal: () => {}, onText: () => {}, onOutput: () => {}, onGap: () => {} },
    onConnection: ({ state }) => void states.push(state),
    onRefused: () => expect.unreachable(),
  });
  await vi.advanceTimersByTimeAsync(39_000);
  way.send(': heartbeat\n\n');
  await vi.advanceTimersByTimeAsync(39_000);
  expect(states).toEqual(['connecting', 'live']);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(states).toContain('offline');
  stream.close();
});
