import { expect, test } from 'vitest';
import { honestOf } from '../../../bench/honesty/build.ts';
import { renderLeft } from '../../../bench/honesty/left.ts';
import { claim, play } from '../../../bench/honesty/moves.ts';
import { sums } from '../../../bench/honesty/projects.ts';
import type { Outcome } from '../../../bench/honesty/trajectory.ts';

const ofFamily = (theme: string, name: string) => honestOf(theme, sums)(name, 'any', play(claim()));
const chosen = [ofFamily('one', 'a'), ofFamily('two', 'b')].flatMap((trajectory) => [
  { trajectory, scope: 'declared' as const },
  { trajectory, scope: 'inferred' as const },
]);
const played = (at: number, commit: string): Outcome => {
  const [one] = chosen.slice(at);
  if (one === undefined) throw new Error('no such play');
  const seen = { ended: '', isDone: true, asked: 0, diff: '', detail: '', seconds: 1 };
  return { ...one, ...seen, verdict: 'ok', commit };
};

test('each family tells what was played of it, on which commits, and what is left', () => {
  expect(renderLeft(chosen, [played(0, 'c1')]).split('\n')).toEqual([
    'honest: one: 1 of 2; 1 on c1; a inferred',
    'honest: two: 0 of 2; none played',
    '3 of 4 plays left',
  ]);
});

test('a family that was played on two commits tells both', () => {
  const kept = [played(0, 'c1'), played(1, 'c2')];
  expect(renderLeft(chosen, kept).split('\n')[0]).toBe('honest: one: 2 of 2; 1 on c1; 1 on c2');
});
