import { expect, test } from 'vitest';
import type { TrackedCriterion } from '../../../schema/criteria.ts';
import type { Decision } from '../../../src/contract/decision.ts';
import type { Evidence } from '../../../src/contract/evidence.ts';
import { completionBy, judgedCriteria } from '../../../src/record/decision/completion.ts';
import { SUMMARY_CHARACTERS } from '../../../src/record/summary.ts';
import { makeFacts, settle } from '../../goal/turn-facts.ts';

const base = settle({ facts: makeFacts({ toolCalls: 1 }) });
const complete = (source: 'implicit' | 'explicit', verification: 'verified' | 'supported') =>
  ({
    ...base,
    outcome: { action: 'complete', source, verification },
    receipts: [3, 5],
  }) satisfies Decision;
const long = 'x'.repeat(9000);

test('a goal that goes on has no completion', () => {
  expect(
    completionBy({ ...base, outcome: { action: 'continue', next: 'wake' } }, { text: 'done' }),
  ).toBeNull();
});

test('a completion states what its decision says, with a part of a long report', () => {
  expect(completionBy(complete('explicit', 'verified'), { text: 'done' })).toEqual({
    source: 'explicit',
    verification: 'verified',
    result: 'done',
    receipts: [3, 5],
  });
  expect(completionBy(complete('explicit', 'verified'), { text: long })?.result).toHaveLength(8000);
});

test('a text that only happens to end the goal is kept shortly, unless it is the finding', () => {
  expect(completionBy(complete('implicit', 'verified'), { text: long })?.result).toHaveLength(500);
  expect(completionBy(complete('implicit', 'supported'), { text: long })?.result).toHaveLength(
    8000,
  );
});

test('C18 the command that a claim names is part of the completion', () => {
  const command = 'npm test';
  expect(completionBy(complete('explicit', 'verified'), { text: 'done', command })).toMatchObject({
    command,
  });
});

test('M19 a summary is cut between characters, and ends in an ellipsis', () => {
  const text = '👩‍🔧é'.repeat(300);
  const { result = '' } = completionBy(complete('implicit', 'verified'), { text }) ?? {};
  expect([...result]).toHaveLength(SUMMARY_CHARACTERS);
  expect(result.endsWith('…')).toBe(true);
  expect(result).not.toMatch(/\p{Surrogate}/u);
});

test('criteria are as the gate found them, and those that it did not look at as they were', () => {
  const spec = { kind: 'command', command: 'make' } as const;
  const one = (criterionId: string): TrackedCriterion => ({
    ...{ criterionId, spec, state: 'unmet', baseline: 'not_run', origin: 'caller', receipts: [] },
  });
  const seen = { ...one('c2'), state: 'met', baseline: 'unmet', reason: 'exited 0', receipts: [7] };
  const evidence = { criteria: [{ ...seen, isHostChecked: true }] } as unknown as Evidence;
  expect(judgedCriteria([one('c1'), one('c2')], evidence)).toEqual([one('c1'), seen]);
});
