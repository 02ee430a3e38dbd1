import { expect, test, vi } from 'vitest';
import { type Line, type Told, watchLines } from '../../src/store/silent-lines.ts';

const told = (state: string | null, isPooled = false): Told => ({
  isPooled,
  states: new Map(state === null ? [] : [[7, state]]),
});

/** One line that waits since it was laid, and what becomes of it at the first look. */
async function cutBy(answer: Told, then: 'still waits' | 'is answered'): Promise<boolean> {
  const from = performance.now();
  let waits: number | null = from;
  let isCut = false;
  const asked: number[][] = [];
  const watch = watchLines(async (pids) => {
    asked.push([...pids]);
    if (then === 'is answered') waits = null;
    return answer;
  }, 20);
  const line: Line = {
    waitsFrom: () => waits,
    pid: () => 7,
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
  ['the server waits for it', told('idle'), true],
  ['the server waits for its transaction', told('idle in transaction'), true],
  ['the server works for it', told('active'), false],
  ['nobody may know what its session does', told(''), false],
  ['a pooler stands between, and numbers sessions itself', told(null, true), false],
] as const)(
  'DRIVER-11 a line that waits for an answer where %s: cut = %3$s',
  async (_where, answer, isCut) => {
    expect(await cutBy(answer, 'still waits')).toBe(isCut);
  },
);

test('DRIVER-11 a line that is answered while the server is asked stays', async () => {
  expect(await cutBy(told('idle'), 'is answered')).toBe(false);
});
