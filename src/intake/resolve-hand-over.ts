import type { BudgetInput } from '../../schema/budget.ts';
import type { Criterion } from '../../schema/criteria.ts';
import type { Goal } from '../../schema/goal.ts';
import { handedBudget, missingBudgetText } from '../record/plan/hand-over.ts';
import { resolveBudget } from './budget.ts';
import { criteriaIssue } from './criteria.ts';
import type { IntakeFacts } from './facts.ts';
import { firstIssue, type Issue } from './issue.ts';
import { resumptionIssue } from './resolve-amendment.ts';
import { sealedIssue } from './sealed.ts';

type HandOverFacts = Pick<
  IntakeFacts,
  'rules' | 'models' | 'parse' | 'mask' | 'hasApprover' | 'sealed'
>;

interface Given {
  readonly criteria?: readonly Criterion[] | undefined;
  readonly budget?: BudgetInput | undefined;
}

/** The reason against carrying a plan out with what is given, judged on the goal as it was read. */
export function handOverIssue(
  facts: HandOverFacts,
  goal: Goal,
  { criteria = [], budget: given = {} }: Given,
  now: string,
): Issue | null {
  const { budget: left, missing } = handedBudget(goal.budget, goal.usage, given, now);
  const [first] = missing;
  if (first !== undefined) {
    const data = { field: `budget.${first}`, missing };
    return { code: 'budget_too_small', detail: missingBudgetText(missing), data };
  }
  const budget = resolveBudget(given, facts.rules.budgetMaximum, left);
  if (budget.issue !== null) return budget.issue;
  const specs = [...goal.criteria.map(({ spec }) => spec), ...criteria];
  return firstIssue(
    () => criteriaIssue(facts, criteria, left.costUsd),
    () => sealedIssue(specs, facts.sealed, { scope: goal.scope, proof: goal.policy.proof }),
    () => resumptionIssue(facts.models, { ...goal, budget: left }),
  );
}
