import { createHash } from 'node:crypto';
import type { BudgetInput } from '../../../schema/budget.ts';
import type { Criterion } from '../../../schema/criteria.ts';
import { Refusal } from '../../contract/failures.ts';
import type { NewGoal } from '../../contract/intake.ts';
import { addUsage } from '../../goal/budget/budget.ts';
import {
  handedBudget,
  handedCriteria,
  handedTodos,
  missingBudgetText,
} from '../../record/plan/hand-over.ts';
import { addPlan, addTodos } from '../add-lists.ts';
import { readItems } from '../approvals/approvals.ts';
import type { Transaction } from '../client.ts';
import { readSetAside } from '../delegates/delegate-usage.ts';
import { insertGoal } from '../intake/insert-goal.ts';
import { canonicalJson } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import type { LockedGoal } from '../locked-goal.ts';
import { readRequirements } from '../requirements/requirements.ts';
import type { Row } from '../row.ts';
import { handConversation } from './hand-conversation.ts';

/** What a person gives with the approval of a plan. */
export interface GivenWithPlan {
  readonly plan?: string;
  readonly criteria?: readonly Criterion[];
  readonly budget?: BudgetInput;
}

export interface ApprovedPlan {
  /** As a person approved it. */
  readonly text: string;
  /** The claim that carried it. */
  readonly callId: string;
}

/** One plan has one executing goal, whoever tries to create it how often. */
export const executingIdOf = (planGoalId: string): string =>
  `g-${createHash('sha256').update(`${planGoalId} carried out`).digest('hex').slice(0, 16)}`;

type PlanRow = Row<
  'goal',
  | 'thread_id'
  | 'objective'
  | 'detects_criteria'
  | 'text_tokens'
  | 'priority'
  | 'policy'
  | 'scope'
  | 'setup'
  | 'tool_rules'
  | 'notify'
  | 'isolation'
  | 'created_by'
  | 'created_by_role'
> & { readonly origin: string | null };

/**
 * Creates the goal that carries an approved plan out, in the transaction that approves it: a crash
 * leaves both or none, and whatever starts accepted goals starts this one. It takes the plan's place
 * in the thread, so the plan's goal is archived before.
 *
 * @throws Refusal
 */
export async function handOver(
  tx: Transaction,
  keys: LedgerKeys,
  goal: LockedGoal,
  { text, callId }: ApprovedPlan,
  given: GivenWithPlan,
): Promise<void> {
  const { goalId } = goal.state;
  const executing = executingIdOf(goalId);
  const [row] = await tx<[PlanRow]>`
    SELECT g.thread_id, g.objective, g.detects_criteria, g.text_tokens, g.priority, g.policy, g.scope, g.setup,
      g.tool_rules, g.notify, g.isolation, g.created_by, g.created_by_role, w.origin
    FROM goal g LEFT JOIN workspace w ON w.name = g.workspace_name WHERE g.goal_id = ${goalId}`;
  const added = given.criteria ?? [];
  const requirements = await readRequirements(tx, goalId);
  const [following] = await tx<Row<'following_goals', 'goals'>[]>`
    DELETE FROM following_goals WHERE goal_id = ${goalId} RETURNING goals`;
  const carried: NewGoal = {
    goalId: executing,
    threadId: row.thread_id,
    parentGoalId: null,
    plannedBy: goalId,
    objective: row.objective,
    criteria: handedCriteria(goal.criteria, added, canonicalJson),
    detectsCriteria: row.detects_criteria && added.length === 0,
    textTokens: row.text_tokens,
    priority: row.priority,
    budget: await budgetOf(tx, goal, given.budget ?? {}),
    policy: goal.state.policy,
    ...(row.scope === null ? {} : { scope: row.scope }),
    ...(row.setup === null ? {} : { setup: row.setup }),
    toolRules: row.tool_rules,
    notify: row.notify,
    ...(requirements.length === 0 ? {} : { handedRequirements: requirements }),
    model: goal.model,
    fallbackModel: goal.fallbackModel,
    mode: 'agent',
    // A plan changes nothing, so a worktree of its own has nothing that a new one lacks.
    workspace: row.origin ?? goal.workspaceName,
    ...(row.origin === null ? {} : { worktree: 'required' as const }),
    isolation: row.isolation,
    // They come after the work, not after its plan.
    ...(following === undefined ? {} : { following: following.goals }),
  };
  await insertGoal(tx, keys, { name: row.created_by, role: row.created_by_role }, carried);
  await handConversation(tx, keys, goalId, executing);
  await addPlan(tx, keys, { goalId: executing, text, callId });
  const items = handedTodos(await readItems(tx, goalId));
  if (items.length > 0) await addTodos(tx, keys, { goalId: executing, items, callId: null });
}

async function budgetOf(tx: Transaction, goal: LockedGoal, given: BudgetInput) {
  const held = addUsage(goal.usage, await readSetAside(tx, goal.state.goalId));
  const { budget, missing } = handedBudget(goal.state.budget, held, given, goal.now);
  const [first] = missing;
  if (first === undefined) return budget;
  throw new Refusal('budget_too_small', missingBudgetText(missing), {
    field: `budget.${first}`,
    missing,
  });
}
