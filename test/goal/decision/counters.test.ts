import { describe, expect, test } from 'vitest';
import type { SliceEnd } from '../../../src/contract/turn-facts.ts';
import {
  countRefusal,
  countTurn,
  countUnproductiveWait,
  initialCounters,
  isTruncated,
} from '../../../src/goal/decision/counters.ts';
import { emptyTurnFacts } from '../../../src/goal/decision/empty-turn-facts.ts';
import { readSignals } from '../../../src/reply/phrases.ts';
import { makeCriterion, makeEvidence, makeFacts } from '../turn-facts.ts';

test('progress is what newly holds: neither guards nor what is unmet count', () => {
  const evidence = makeEvidence([
    makeCriterion(),
    makeCriterion({ criterionId: 'c2', baseline: 'not_run' }),
    makeCriterion({ criterionId: 'g1', baseline: 'met' }),
    makeCriterion({ criterionId: 'c3', state: 'unmet' }),
  ]);
  const counters = countTurn(initialCounters, makeFacts(), evidence);
  expect(counters).toMatchObject({ metCriteria: 2, bestMet: 2, turnsWithoutProgress: 0 });
});

describe('a refusal counts in a row', () => {
  const before = { ...initialCounters, refusalsInRow: 1, bestMissing: 1 };
  const inRow = (missing: string[], lastMissing: string[]) =>
    countRefusal({ ...before, lastMissing }, missing).refusalsInRow;

  test('only where the very same is missing as before', () => {
    expect(inRow(['a', 'b'], ['b', 'a'])).toBe(2);
    expect(inRow(['a'], ['a', 'b'])).toBe(1);
    expect(inRow(['a', 'b'], ['a', 'c'])).toBe(1);
  });
});

test('a wait that came to nothing is a turn without progress, unless something newly holds', () => {
  const before = { ...initialCounters, turnsWithoutProgress: 4 };
  const better = { ...before, bestMet: 1, turnsWithoutProgress: 0 };
  expect(countUnproductiveWait(before, before).turnsWithoutProgress).toBe(5);
  expect(countUnproductiveWait(before, better)).toEqual(better);
});

test.each<[SliceEnd, 'length' | 'stop', boolean]>([
  ['turn_cap', 'stop', true],
  ['yield', 'length', true],
  ['yield', 'stop', false],
  ['question', 'length', false],
])('a turn that ends with %s and %s was cut off: %s', (end, finishReason, expected) => {
  expect(isTruncated(makeFacts({ end, finishReason }))).toBe(expected);
});

test('of a turn of which nothing is known but its end, nothing is made up', () => {
  const { turn, kind, end, mode, finishReason, signals, ...rest } = emptyTurnFacts(
    3,
    'nudge',
    'plan',
    'interrupted',
  );
  expect({ turn, kind, end, mode, finishReason }).toEqual({
    turn: 3,
    kind: 'nudge',
    end: 'interrupted',
    mode: 'plan',
    finishReason: 'absent',
  });
  expect(signals).toEqual(readSignals(''));
  expect(Object.keys(rest).sort()).toEqual(
    Object.keys(makeFacts())
      .filter((name) => !['turn', 'kind', 'end', 'mode', 'finishReason', 'signals'].includes(name))
      .sort(),
  );
  for (const value of Object.values(rest)) expect([0, false, null, []]).toContainEqual(value);
});
