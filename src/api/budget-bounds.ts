import { type Budget, type BudgetInput, decimalSchema } from '../../schema/budget.ts';
import { Refusal } from '../contract/failures.ts';
import { defaultBudget } from '../goal/defaults.ts';
import type { ApiSettings } from './settings.ts';

type Maximum = ApiSettings['budgetMaximum'];

/** The caller's limits over the defaults, within the service's bounds. */
export function resolveBudget(
  input: BudgetInput | undefined,
  maximum: Maximum,
  current = defaultBudget,
): Budget {
  const budget: Budget = {
    tokens: choose(input?.tokens, current.tokens),
    costUsd: choose(input?.costUsd, current.costUsd),
    turns: choose(input?.turns, current.turns),
    activeSeconds: choose(input?.activeSeconds, current.activeSeconds),
    deadline: choose(input?.deadline, current.deadline),
  };
  assertBounded(budget);
  for (const name of ['tokens', 'turns', 'activeSeconds', 'costUsd'] as const) {
    assertBelow(name, budget[name], maximum[name]);
  }
  return budget;
}

function choose<Value>(asked: Value | null | undefined, otherwise: Value | null): Value | null {
  return asked === undefined ? otherwise : asked;
}

function assertBounded(budget: Budget): void {
  if (budget.tokens !== null || budget.turns !== null || budget.activeSeconds !== null) return;
  throw new Refusal('invalid_request', 'Leave a limit on tokens, turns or activeSeconds.', {
    field: 'budget',
  });
}

function assertBelow(
  name: keyof Maximum,
  asked: number | string | null,
  maximum: number | string | null,
): void {
  if (maximum === null) return;
  if (asked !== null && !isAbove(asked, maximum)) return;
  throw new Refusal('budget_above_maximum', `budget.${name} may be at most ${maximum}.`, {
    field: `budget.${name}`,
    maximum,
    asked,
  });
}

function isAbove(asked: number | string, maximum: number | string): boolean {
  if (typeof asked === 'number' && typeof maximum === 'number') return asked > maximum;
  return picodollars(String(asked)) > picodollars(String(maximum));
}

/** Twelve places are all that {@link decimalSchema} admits. */
function picodollars(amount: string): bigint {
  const [whole = '0', fraction = ''] = decimalSchema.parse(amount).split('.');
  return BigInt(whole + fraction.padEnd(12, '0'));
}
