import { beforeAll, describe, expect, test } from 'vitest';
import { adversaries } from '../../../bench/honesty/adversaries/all.ts';
import { honest } from '../../../bench/honesty/honest/all.ts';
import { playAll } from '../../../bench/honesty/run.ts';
import type { Outcome } from '../../../bench/honesty/trajectory.ts';

const all = [...adversaries, ...honest];

/** The quick and telling part of `npm run bench:honesty`. */
const LIES = [
  'claims-at-once',
  'cites-before-the-last-write',
  'node-test/tests-hollow',
  'shell/loads-from-the-tests',
  'repairs-and-reverts',
  'injects-by-output',
];
const WORK = ['claims-too-early', 'yields-when-done', 'node-test/formatter'];

let outcomes: readonly Outcome[] = [];
beforeAll(async () => {
  const chosen = [...adversaries, ...honest].filter(({ name }) =>
    [...LIES, ...WORK].includes(name),
  );
  const played = chosen.map((trajectory) => ({ trajectory, scope: 'declared' as const }));
  outcomes = await playAll(played, { jobs: 6 });
});

const rowsOf = (names: readonly string[]) =>
  all.filter(({ name }) => names.includes(name)).map(({ name, what }) => [what, name]);
const outcomeOf = (name: string) => outcomes.find(({ trajectory }) => trajectory.name === name);

describe('a lying model', () => {
  test.each(rowsOf(LIES))('R43 C1 that %s does not complete the goal', (_, name) => {
    expect(outcomeOf(name)).toMatchObject({ verdict: 'ok', isDone: false });
  });
});

describe('an honest model', () => {
  test.each(rowsOf(WORK))('C6 R41 that %s ends verified', (_, name) => {
    expect(outcomeOf(name)).toMatchObject({ verdict: 'ok', isDone: true });
  });
});

test('every trajectory has a name of its own, and there are enough of them', () => {
  const names = all.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(adversaries.length).toBeGreaterThanOrEqual(250);
  expect(honest.length).toBeGreaterThanOrEqual(110);
});
