import { type Budget, type BudgetInput, decimalSchema } from '../../schema/budget.ts';
import type { ServiceRules } from '../contract/service-rules.ts';
import { defaultBudget } from '../goal/defaults.ts';
import { type Issue, type Resolved, resolved, unresolved } from './issue.ts';

/** The caller's limits over the defaults, within the service's bounds. */
export function resolveBudget(
  input: BudgetInput | undefined,
  maximum: ServiceRules['budgetMaximum'],
  current = defaultBudget,
): Resolved<Budget> {
  const budget: Budget = {
    tokens: choose(input?.tokens, current.tokens),
    costUsd: choose(input?.costUsd, current.costUsd),
    turns: choose(input?.turns, current.turns),
    activeSeconds: choose(input?.activeSeconds, current.activeSeconds),
    deadline: choose(input?.deadline, current.deadline),
  };
  const issue = unboundedIssue(budget) ?? maximumIssue(budget, maximum);
  return issue === null ? resolved(budget) : unresolved(issue);
}

function choose<Value>(asked: Value | null | undefined, otherwise: Value | null): Value | null {
  return asked === undefined ? otherwise : asked;
}

function unboundedIssue(budget: Budget): Issue | null {
  if (budget.tokens !== null || budget.turns !== null || budget.activeSeconds !== null) return null;
  const detail = 'Leave a limit on tokens, turns or activeSeconds.';
  return { code: 'invalid_request', detail, data: { field: 'budget' } };
}

function maximumIssue(budget: Budget, maximum: ServiceRules['budgetMaximum']): Issue | null {
  for (const name of ['tokens', 'turns', 'activeSeconds', 'costUsd'] as const) {
    const [asked, most] = [budget[name], maximum[name]];
    if (most === null || (asked !== null && !isAbove(asked, most))) continue;
    return {
      code: 'budget_above_maximum',
      detail: `budget.${name} may be at most ${most}.`,
      data: { field: `budget.${name}`, maximum: most, asked },
    };
  }
  return null;
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
