import type { Principal } from '../../../schema/role.ts';
import type { NewGoal } from '../../contract/intake.ts';
import { initialChart } from '../../goal/chart/machine.ts';
import { activityOf, statusOf } from '../../goal/chart/view.ts';
import { initialCounters } from '../../goal/decision/counters.ts';
import { speaksForPerson } from '../../policy/role-rank.ts';
import { giveToGoal } from '../attachments/contents.ts';
import type { Transaction } from '../client.ts';
import { appendEvents } from '../events.ts';
import { storable, storableText } from '../json.ts';
import { sealStored } from '../ledger/counted-seal.ts';
import { genesisHash } from '../ledger/ledger-chain.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { sealStart } from '../ledger/seal-decided.ts';
import { firstState } from '../ledger/state-seal.ts';
import { addByModel, editByPerson, handRequirements } from '../requirements/requirements.ts';
import { beginningOf } from '../workspaces/beginning.ts';
import { noWorktree, worktreeGround } from '../workspaces/takes-worktree.ts';
import { insertWorktree } from '../workspaces/worktrees.ts';

/** The goal's rows, accepted and not yet started. */
export async function insertGoal(
  tx: Transaction,
  keys: LedgerKeys,
  principal: Principal,
  goal: NewGoal & { readonly continues?: string | null },
): Promise<void> {
  const now = new Date().toISOString();
  const chart = initialChart();
  const workspace = await workspaceOf(tx, keys, goal);
  const { attachments = [] } = goal;
  const row = {
    goal_id: goal.goalId,
    thread_id: goal.threadId,
    parent_goal_id: goal.parentGoalId,
    planned_by: goal.plannedBy ?? null,
    continues: goal.continues ?? null,
    agent: goal.agent ?? null,
    driver: goal.driver ?? null,
    caller_trace: goal.callerTrace ?? null,
    objective: storableText(goal.objective),
    mode: goal.mode,
    model: goal.model,
    fallback_model: goal.fallbackModel,
    workspace_name: workspace,
    status: statusOf(chart),
    snapshot: tx.json(storable(chart)),
    counters: tx.json(storable(initialCounters)),
    activity: tx.json(storable(activityOf(chart, now))),
    criteria: tx.json(storable(goal.criteria)),
    detects_criteria: goal.detectsCriteria === true,
    text_tokens: goal.textTokens === true,
    priority: goal.priority ?? 0,
    attachments: attachments.length === 0 ? null : tx.json(storable(attachments)),
    budget: tx.json(storable(goal.budget)),
    policy: tx.json(storable(goal.policy)),
    scope: goal.scope === undefined ? null : tx.json(storable(goal.scope)),
    setup: goal.setup === undefined ? null : tx.json(storable(goal.setup)),
    tool_rules: tx.json(storable(goal.toolRules ?? [])),
    notify: tx.json(storable(goal.notify ?? [])),
    isolation: goal.isolation,
    created_by: principal.name,
    created_by_role: principal.role,
    created_at: now,
    updated_at: now,
  };
  await tx`INSERT INTO goal ${tx(row)}`;
  const seal = firstState(keys, goal.goalId, chart);
  await tx`
    WITH begun AS (SELECT ${goal.goalId}::text AS goal_id)
      ${sealStored(tx, seal, tx`begun`, 'leave')}
    INSERT INTO journal (goal_id, ledger_head)
    SELECT goal_id, ${genesisHash(goal.goalId)} FROM begun`;
  await giveToGoal(
    tx,
    keys,
    { goalId: goal.goalId, source: 'objective', sourceId: goal.goalId },
    attachments,
  );
  if (goal.requirements !== undefined && goal.requirements.length > 0) {
    // A program that acts for models speaks for none of the people.
    if (speaksForPerson(principal.role)) await editByPerson(tx, keys, goal.goalId, goal);
    else await addByModel(tx, keys, goal.goalId, null, goal.requirements);
  }
  if (goal.handedRequirements !== undefined)
    await handRequirements(tx, keys, goal.goalId, goal.handedRequirements);
  if (goal.following !== undefined && goal.following.length > 0)
    await tx`
      INSERT INTO following_goals (goal_id, goals)
      VALUES (${goal.goalId}, ${tx.json(storable(goal.following))})`;
  const { threadId, budget, plannedBy, continues } = goal;
  const before = {
    ...(plannedBy === undefined ? {} : { plannedBy }),
    ...(continues ? { continues } : {}),
  };
  const data = { threadId, status: statusOf(chart), revision: 1, budget, ...before };
  await appendEvents(tx, goal.goalId, [{ type: 'goal.started', data }]);
  await sealStart(tx, keys, goal.goalId);
}

/** @throws Refusal */
async function workspaceOf(
  tx: Transaction,
  keys: LedgerKeys,
  { goalId, workspace, worktree, begins }: NewGoal,
): Promise<string> {
  if (worktree === undefined) return workspace;
  const beginning = begins === undefined ? null : await beginningOf(tx, keys, begins, workspace);
  const own = await insertWorktree(tx, keys, goalId, workspace, beginning);
  if (own === null && worktree === 'required')
    throw noWorktree(workspace, await worktreeGround(tx, workspace));
  return own ?? workspace;
}
