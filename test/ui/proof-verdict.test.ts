import { expect, test } from 'vitest';
import type { GoalProofPredicate } from '../../schema/proof-bundle.ts';
import type { Gate, Goal } from '../../src/ui/api/types.ts';
import { openVerdict, provenVerdict } from '../../src/ui/view/proof-verdict.ts';

const criterion = {
  ...{ criterionId: 'c1', state: 'met', baseline: 'unmet', origin: 'caller', receipts: [9] },
  spec: { kind: 'command', command: 'make test' },
} as const;
const change = { name: 'test:test/a.test.js', kind: 'beyond_scope', criterionIds: ['c1'] };

const openOf = (goal: object, gate: object = {}) =>
  openVerdict(
    { status: 'active', activity: {}, criteria: [criterion], ...goal } as unknown as Goal,
    { changes: [], proof: null, ...gate } as unknown as Gate,
  );

test('CON-75: a goal that holds for a person proves nothing, says what it needs, and is yellow; one that goes on is neither', () => {
  const holds = openOf({ activity: { on: 'approval' } }, { changes: [change] });
  expect(holds).toMatchObject({
    ...{ look: 'holds', icon: 'holds', title: 'Holds, waits for a person' },
    beyond: [{ name: 'test/a.test.js', note: 'the proof needs it, for c1', isNeeded: true }],
  });
  expect(holds.facts.map(({ count }) => count)).toEqual([null, 0, null, 1]);
  expect(holds.criteria.map(({ before, words }) => [before, words])).toEqual([
    ['unmet', 'holds, not proved'],
  ]);
  expect(openOf({})).toMatchObject({ look: 'open', criteria: [{ words: 'met, not proved' }] });
  const asked = openOf({
    activity: { on: 'approval' },
    criteria: [{ ...criterion, state: 'unmet' }],
  });
  expect(asked).toMatchObject({ look: 'open', title: 'Not proved yet' });
});

test('CON-75: a completion is green by a verified proof alone, and an unmet criterion of it is told', () => {
  const of = (level: GoalProofPredicate['level'], state = 'met') =>
    provenVerdict({
      ...{ level, requirements: null, criteria: [{ ...criterion, state }] },
      proof: { files: [{}], accepted: ['x'], beyondScope: ['y'], criteria: [] },
    } as unknown as GoalProofPredicate);
  const verified = of('verified');
  expect(verified).toMatchObject({ look: 'verified', icon: 'proved', title: 'Verified' });
  expect(verified.facts[1]).toMatchObject({ count: 1, total: 1 });
  expect(verified.beyond.map(({ isNeeded }) => isNeeded)).toEqual([false, false]);
  const accepted = of('accepted_by_person', 'unmet');
  expect(accepted).toMatchObject({
    look: 'other',
    criteria: [{ state: 'open', words: 'not met' }],
  });
  expect(accepted.facts[1]).toMatchObject({ count: 0 });
});
