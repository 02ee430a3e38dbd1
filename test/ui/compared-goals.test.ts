import { expect, test } from 'vitest';
import type { Goal } from '../../src/ui/api/types.ts';
import { comparedGoals } from '../../src/ui/view/compared-goals.ts';

const usage = { turns: 4, steps: 9, tokens: 1500, costUsd: '0.5', activeSeconds: 73 };
const goal = (change: object = {}): Goal =>
  ({
    ...{ objective: 'Port it', status: 'active', model: 'some/large', usage },
    ...{ criteria: [{ state: 'met' }, { state: 'unmet' }], todos: { done: 1, total: 3 } },
    ...change,
  }) as unknown as Goal;

test('CON-96: two goals are compared fact by fact, and what differs is marked', () => {
  const completion = { verification: 'verified', changedFiles: ['a', 'b'] };
  const other = goal({
    ...{ status: 'complete', model: 'other/small', completion },
    usage: { ...usage, costUsd: '2' },
  });
  const rows = new Map(comparedGoals(goal(), other).map((row) => [row.name, row]));
  expect(rows.get('Objective')).toMatchObject({ differs: false });
  expect(rows.get('State')).toMatchObject({ values: ['Active', 'Verified'], differs: true });
  expect(rows.get('Cost')?.values).toEqual(['$0.50', '$2.00']);
  expect(rows.get('Active time')?.values).toEqual(['1m 13s', '1m 13s']);
  expect(rows.get('Criteria met')?.values).toEqual(['1 of 2', '1 of 2']);
  expect(rows.get('Changed files')?.values).toEqual(['–', '2']);
});

test('CON-112: what a goal stands at is told in words, also where the record has a name of its own for it', () => {
  const stateOf = (change: object) => comparedGoals(goal(), goal(change))[1]?.values[1];
  expect(stateOf({ status: 'budget_limited' })).toBe('Budget limited');
  const completion = { verification: 'accepted_by_person', changedFiles: [] };
  expect(stateOf({ status: 'complete', completion })).toBe('Accepted by a person, not verified');
});
