import { expect, test, vi } from 'vitest';
import { type Doing, type Line, type Told, watchLines } from '../../src/store/silent-lines.ts';

const told = (doing: Doing | null, isPooled = false): Told => ({
  isPooled,
  doing: new Map(doing === null ? [] : [[7, doing]]),
});
const SESSION = { pid: 7, greetedAt: 0 };

/** One line that waits since it was laid, and what becomes of it at the first look. */
async function cutBy(answer: Told, then: 'still waits' | 'is answered'): Promise<boolean> {
  const from = performance.now();
  let waits: number | null = from;
  let isCut = false;
  const asked: number[][] = [];
  const ask = async (pids: readonly number[]) => {
    asked.push([...pids]);
    if (then === 'is answered') waits = null;
    return answer;
  };
  const watch = watchLines({ ask, end: async () => true }, 20);
  const line: Line = {
    waitsFrom: () => waits,
    session: () => SESSION,
    cut() {
      isCut = true;
      waits = null;
    },
  };
  watch.lines.add(line);
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0));
  await new Promise(setImmediate);
  watch.stop();
  expect(asked[0]).toEqual([7]);
  return isCut;
}

test.each([
  ['nobody can be reached', null, true],
  ['its session is gone', told(null), true],
  ['the server waits for it', told('waits for its client'), true],
  ['the server works for it', told('works'), false],
  ['nobody may know what its session does', told('unknown'), false],
  ['a pooler stands between, and numbers sessions itself', told(null, true), false],
] as const)(
  'DRIVER-11 a line that waits for an answer where %s: cut = %3$s',
  async (_where, answer, isCut) => {
    expect(await cutBy(answer, 'still waits')).toBe(isCut);
  },
);

test('DRIVER-11 a line that is answered while the server is asked stays', async () => {
  expect(await cutBy(told('waits for its client'), 'is answered')).toBe(false);
});

test('REC-46 behind a pooler, which numbers sessions itself, a line is cut after the longest silence', async () => {
  const from = performance.now();
  let cutAfter: number | null = null;
  const ended: number[] = [];
  const watch = watchLines(
    {
      ask: async () => told(null, true),
      end: async (sessions) => {
        ended.push(...sessions.map(({ pid }) => pid));
        return true;
      },
    },
    2,
  );
  watch.lines.add({
    waitsFrom: () => (cutAfter === null ? from : null),
    session: () => SESSION,
    cut() {
      cutAfter = performance.now() - from;
    },
  });
  await vi.waitFor(() => expect(cutAfter).not.toBeNull());
  watch.stop();
  expect(cutAfter).toBeGreaterThanOrEqual(2 * 90);
  expect(ended).toEqual([]);
});

test('REC-46 the session of a line that was cut is ended once the server can be reached', async () => {
  let waits: number | null = performance.now();
  let tries = 0;
  const ended: (typeof SESSION)[] = [];
  const end = async (sessions: readonly (typeof SESSION)[]) => {
    tries += 1;
    if (tries < 3) return false;
    ended.push(...sessions);
    return true;
  };
  const watch = watchLines({ ask: async () => null, end }, 20);
  watch.lines.add({
    waitsFrom: () => waits,
    session: () => SESSION,
    cut() {
      waits = null;
    },
  });
  await vi.waitFor(() => expect(ended).toEqual([SESSION]));
  watch.stop();
  expect(tries).toBe(3);
});
