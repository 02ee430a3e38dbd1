import { setTimeout as pause } from 'node:timers/promises';
import type { Session } from '../session.ts';
import { goalLinkOn } from './goal-link.ts';
import { type Look, lookOf } from './look.ts';
import type { ScreenPort } from './port.ts';

const LEAST_BETWEEN_MS = 700;
const TICK_MS = 1000;
/** The screen of before comes back when this one is left. */
const [OPEN, CLOSE] = ['\u001b[?1049h\u001b[?25l', '\u001b[?25h\u001b[?1049l'];

/** What a whole screen shows, and what its keys do. */
export interface Shown<Result> {
  lines(look: Look, height: number): readonly string[];
  /** The screen is drawn anew behind it. */
  press(input: string, end: (result: Result) => void, lend: ScreenPort['lend']): Promise<void>;
  /** Reads anew; called when the service tells that a goal changed. */
  refresh(): Promise<void>;
}

/** A view of the whole terminal, kept up to date until a key ends it. */
export async function wholeScreen<Result>(
  { client, terminal }: Session,
  screen: ScreenPort,
  shown: Shown<Result>,
): Promise<Result> {
  const leaving = new AbortController();
  let end: (result: Result) => void = () => {};
  const ended = new Promise<Result>((resolve) => {
    end = resolve;
  });
  const goalLink = goalLinkOn(process.stderr);
  let isLent = false;
  const draw = (): void => {
    if (leaving.signal.aborted || isLent) return;
    const look = lookOf(screen.columns ?? 80, terminal.paint, screen.isAscii, goalLink);
    const lines = shown.lines(look, process.stderr.rows ?? 24);
    screen.write(`\u001b[H${lines.map((text) => `${text}\u001b[K`).join('\r\n')}\u001b[J`);
  };
  const lend: ScreenPort['lend'] = async (program) => {
    isLent = true;
    screen.write(CLOSE);
    try {
      return await screen.lend(program);
    } finally {
      screen.write(OPEN);
      isLent = false;
    }
  };
  const stop = screen.listen({
    onInput: (input) => void shown.press(input, end, lend).finally(draw),
    onResize: draw,
    onSuspend: () => {},
  });
  const tick = setInterval(draw, TICK_MS);
  screen.write(OPEN);
  draw();
  const refresh = async () => {
    await shown.refresh();
    draw();
  };
  keepFresh(client, leaving.signal, refresh).catch(() => {});
  try {
    return await ended;
  } finally {
    leaving.abort();
    clearInterval(tick);
    stop();
    screen.write(CLOSE);
  }
}

/** Reads anew when the service tells that a goal changed; comes back when it was away. */
async function keepFresh(
  client: Session['client'],
  signal: AbortSignal,
  refresh: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const events = await client.open('/v1/events', {}, signal);
      for await (const _ of events.body ?? []) {
        await refresh();
        await pause(LEAST_BETWEEN_MS, undefined, { signal });
      }
    } catch {
      await pause(LEAST_BETWEEN_MS, undefined, { signal });
    }
  }
}
