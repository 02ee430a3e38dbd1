import type { Budget, BudgetInput, LimitName, UsageFields } from '../../../schema/budget.ts';
import type { Criterion, TrackedCriterion } from '../../../schema/criteria.ts';
import type { TodoItem } from '../../../schema/todo.ts';
import { mergeBudget } from '../../goal/budget/budget.ts';
import { compareDecimals, subtractDecimals } from '../../goal/budget/decimal.ts';
import { unprovenCriterion } from '../mutation/amended-criteria.ts';

export interface HandedBudget {
  readonly budget: Budget;
  /** Limits of which the plan left nothing, and for which nothing was given. */
  readonly missing: readonly LimitName[];
}

/**
 * What the plan left of its budget, and instead of it what a person gives with the approval: the
 * plan and the work together never have more than people said.
 *
 * @param held usage of the plan, with what its delegates have set aside
 * @param now ISO time
 */
export function handedBudget(
  budget: Budget,
  held: UsageFields,
  given: BudgetInput,
  now: string,
): HandedBudget {
  const left: Budget = {
    tokens: leftOf(budget.tokens, held.tokens),
    costUsd: budget.costUsd === null ? null : subtractDecimals(budget.costUsd, held.costUsd),
    turns: leftOf(budget.turns, held.turns),
    activeSeconds: leftOf(budget.activeSeconds, held.activeSeconds),
    deadline: budget.deadline,
  };
  const handed = mergeBudget(left, given);
  return { budget: handed, missing: LIMITS.filter((name) => isUsedUp(handed, name, now)) };
}

const LIMITS: readonly LimitName[] = ['tokens', 'costUsd', 'turns', 'activeSeconds', 'deadline'];

const leftOf = (allowed: number | null, used: number): number | null =>
  allowed === null ? null : Math.max(0, Math.floor(allowed - used));

function isUsedUp(budget: Budget, name: LimitName, now: string): boolean {
  const limit = budget[name];
  if (limit === null) return false;
  if (name === 'deadline') return Date.parse(String(limit)) <= Date.parse(now);
  return compareDecimals(String(limit), '0') === 0;
}

/** What a person may do where the plan left nothing. */
export const missingBudgetText = (missing: readonly LimitName[]): string =>
  `The plan has used up its ${missing.join(', ')}: give ${missing
    .map((name) => `budget.${name}`)
    .join(', ')} with the approval.`;

/**
 * The criteria of the plan's goal under their ids, as nothing has been looked at yet, and behind
 * them those that a person adds.
 *
 * @param keyOf equal for criteria that say the same
 */
export function handedCriteria(
  known: readonly TrackedCriterion[],
  added: readonly Criterion[],
  keyOf: (spec: Criterion) => string,
): TrackedCriterion[] {
  const kept = known.map(
    ({ criterionId, spec, origin }): TrackedCriterion => ({
      criterionId,
      spec,
      state: 'unmet',
      baseline: 'not_run',
      origin,
      receipts: [],
    }),
  );
  const keys = new Set(known.map(({ spec }) => keyOf(spec)));
  let newest = Math.max(0, ...known.map(({ criterionId }) => Number(criterionId.slice(1)) || 0));
  const fresh = added.flatMap((spec) => {
    const key = keyOf(spec);
    if (keys.has(key)) return [];
    keys.add(key);
    newest += 1;
    return [unprovenCriterion(newest, spec, 'caller')];
  });
  return [...kept, ...fresh];
}

/**
 * The list as it was planned, under its ids: nothing of it is done, because no receipt of the plan
 * proves work. The item in progress stays it.
 */
export function handedTodos(items: readonly TodoItem[]): TodoItem[] {
  const open = items.filter(({ status }) => status !== 'dropped');
  return open.map(({ id, content, activeForm, level, status }) => ({
    id,
    content,
    ...(activeForm === undefined ? {} : { activeForm }),
    level,
    status: status === 'in_progress' ? 'in_progress' : 'pending',
    receipts: [],
  }));
}
