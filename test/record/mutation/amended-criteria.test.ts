import { expect, test } from 'vitest';
import type { Criterion, TrackedCriterion } from '../../../schema/criteria.ts';
import { amendCriteria, unprovenCriterion } from '../../../src/record/mutation/amended-criteria.ts';

const check = (command: string): Criterion => ({ kind: 'command', command });
const known = (number: number, command: string): TrackedCriterion => ({
  ...unprovenCriterion(number, check(command), 'caller'),
  state: 'met',
  baseline: 'unmet',
  receipts: [number],
});
const keyOf = (spec: Criterion) => JSON.stringify(spec);

test('what stays the same keeps its id and what is known of it; the others begin unproven', () => {
  const before = [known(1, 'make'), known(3, 'lint')];
  expect(amendCriteria(before, [check('test'), check('lint')], 4, keyOf)).toEqual([
    {
      criterionId: 'c5',
      spec: check('test'),
      state: 'unmet',
      baseline: 'not_run',
      origin: 'caller',
      receipts: [],
    },
    known(3, 'lint'),
  ]);
});

test('one known criterion stands for one wanted, and each new one gets a number of its own', () => {
  const twice = amendCriteria([known(1, 'make')], [check('make'), check('make')], 1, keyOf);
  expect(twice.map(({ criterionId }) => criterionId)).toEqual(['c1', 'c2']);
  const both = amendCriteria([], [check('a'), check('b')], 7, keyOf);
  expect(both.map(({ criterionId }) => criterionId)).toEqual(['c8', 'c9']);
});
