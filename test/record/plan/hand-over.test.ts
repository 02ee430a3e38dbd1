import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Budget, BudgetInput } from '../../../schema/budget.ts';
import type { Criterion, TrackedCriterion } from '../../../schema/criteria.ts';
import type { TodoItem } from '../../../schema/todo.ts';
import { noUsage } from '../../../src/goal/budget/budget.ts';
import { compareDecimals } from '../../../src/goal/budget/decimal.ts';
import { handedBudget, handedCriteria, handedTodos } from '../../../src/record/plan/hand-over.ts';

const NOW = '2026-01-02T00:00:00.000Z';
const count = fc.option(fc.integer({ min: 1, max: 50 }));
const dollars = fc.integer({ min: 1, max: 999 }).map((cents) => (cents / 100).toFixed(2));
const budget: fc.Arbitrary<Budget> = fc.record({
  tokens: count,
  costUsd: fc.option(dollars),
  turns: count,
  activeSeconds: count,
  deadline: fc.option(fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z')),
});
const usage = fc
  .record({ tokens: fc.nat(60), costUsd: dollars, turns: fc.nat(60), activeSeconds: fc.nat(60) })
  .map((used) => ({ ...noUsage, ...used }));
const given: fc.Arbitrary<BudgetInput> = fc.record(
  { tokens: count, costUsd: fc.option(dollars), turns: count, activeSeconds: count },
  { requiredKeys: [] },
);

test('plan and work together have no more than people gave, and what is used up is named', () => {
  fc.assert(
    fc.property(budget, usage, given, (allowed, used, more) => {
      const { budget: handed, missing } = handedBudget(allowed, used, more, NOW);
      for (const name of ['tokens', 'turns', 'activeSeconds'] as const) {
        const limit = allowed[name];
        const asked = more[name];
        if (asked != null) expect(handed[name]).toBe(asked);
        else if (asked === undefined && limit !== null) {
          expect(handed[name]).toBe(Math.max(0, limit - used[name]));
        }
        expect(missing.includes(name)).toBe(handed[name] === 0);
      }
      if (more.costUsd === undefined && allowed.costUsd !== null) {
        expect(compareDecimals(handed.costUsd ?? '', allowed.costUsd)).not.toBe(1);
      }
      expect(missing.includes('deadline')).toBe(handed.deadline !== null && handed.deadline < NOW);
      const isBounded = [handed.tokens, handed.turns, handed.activeSeconds].some(
        (one) => one !== null,
      );
      expect(isBounded).toBe(true);
    }),
  );
});

const spec = fc.constantFrom<Criterion>(
  { kind: 'command', command: 'npm test' },
  { kind: 'command', command: 'make' },
  { kind: 'diagnostics' },
  { kind: 'diagnostics', onlyNew: true },
);
const keyOf = (one: Criterion) => JSON.stringify(one);

test('criteria of the plan keep their ids and are judged anew; those of the approval come behind', () => {
  fc.assert(
    fc.property(fc.uniqueArray(spec, { selector: keyOf }), fc.array(spec), (planned, added) => {
      const known = planned.map(
        (one, index): TrackedCriterion => ({
          criterionId: `c${2 * index + 1}`,
          spec: one,
          state: 'met',
          baseline: 'met',
          origin: 'proposed',
          receipts: [4],
        }),
      );
      const handed = handedCriteria(known, added, keyOf);
      expect(handed.slice(0, known.length).map(({ criterionId }) => criterionId)).toEqual(
        known.map(({ criterionId }) => criterionId),
      );
      expect(new Set(handed.map(({ criterionId }) => criterionId)).size).toBe(handed.length);
      expect(new Set(handed.map((one) => keyOf(one.spec)))).toEqual(
        new Set([...planned, ...added].map(keyOf)),
      );
      expect(handed.map((one) => keyOf(one.spec))).toHaveLength(
        new Set([...planned, ...added].map(keyOf)).size,
      );
      for (const one of handed)
        expect(one).toMatchObject({ state: 'unmet', baseline: 'not_run', receipts: [] });
    }),
  );
});

test('the list is handed over in its order, with nothing done and nothing that was dropped', () => {
  const item = fc.record<TodoItem>({
    id: fc.uuid(),
    content: fc.string({ minLength: 1 }),
    status: fc.constantFrom('pending', 'in_progress', 'completed', 'dropped'),
    level: fc.constantFrom(0, 1),
    receipts: fc.constant([7]),
  });
  fc.assert(
    fc.property(fc.array(item), (items) => {
      const handed = handedTodos(items);
      const open = items.filter(({ status }) => status !== 'dropped');
      expect(handed.map(({ id }) => id)).toEqual(open.map(({ id }) => id));
      expect(handed.every(({ receipts }) => receipts.length === 0)).toBe(true);
      expect(handed.some(({ status }) => status === 'completed')).toBe(false);
    }),
  );
});
