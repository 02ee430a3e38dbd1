import type { Budget } from '../../../schema/budget.ts';
import type { TrackedCriterion } from '../../../schema/criteria.ts';
import type { Completion, Mode } from '../../../schema/goal.ts';
import type { NotifyTarget } from '../../../schema/notify.ts';
import type { Policy } from '../../../schema/policy.ts';
import type { ToolRule } from '../../../schema/tool-rule.ts';
import type { Counters } from '../../contract/decision.ts';
import { Superseded } from '../../contract/failures.ts';
import type { ChartSnapshot, GoalState } from '../../contract/goal-state.ts';
import type { Execution } from '../../contract/record.ts';
import { taskQueuesOf } from '../../contract/task-queues.ts';
import { activityOf, isOpen, pauseOf, statusOf } from '../../goal/chart/view.ts';
import { resolvePolicy } from '../../goal/defaults.ts';
import { closeRevision, type FollowUps, followUpsOf } from '../../record/revision/follow-ups.ts';
import { supersedeApprovals } from '../approvals/approvals.ts';
import type { Executor, Transaction } from '../client.ts';
import {
  type DelegatedColumns,
  delegatedColumns,
  joinDelegated,
  toTotal,
} from '../delegates/delegate-usage.ts';
import { leadDelegates, reportEnd } from '../delegates/delegates.ts';
import { supersedeDisputes } from '../disputes/disputes.ts';
import { appendEvents, type NewEvent } from '../events.ts';
import { storable } from '../json.ts';
import { sealStored } from '../ledger/counted-seal.ts';
import { genesisHash } from '../ledger/ledger-chain.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { type SealedState, sealedState, sealOfState } from '../ledger/state-seal.ts';
import type { LockedGoal } from '../locked-goal.ts';
import { storeNotification } from '../notices/notifications.ts';
import type { Row } from '../row.ts';
import { type UsageColumns, usageColumns } from '../usage-row.ts';
import { overtakeElection } from '../waits/elections.ts';
import { countLentAsWritten, isRewinding, leaveQueue } from '../workspaces/workspace-lease.ts';

type StateRow = Row<
  'goal',
  | 'parent_goal_id'
  | 'epoch'
  | 'run_id'
  | 'revision'
  | 'snapshot'
  | 'counters'
  | 'policy'
  | 'budget'
  | 'mode'
  | 'fallback_model'
  | 'criteria'
  | 'criteria_revision'
  | 'workspace_name'
  | 'created_at'
  | 'model'
  | 'driver'
> &
  Row<'journal', 'turn' | 'ledger_seq' | 'ledger_head' | 'token' | 'seals' | 'seal_head'> &
  Row<'workspace', 'write_seq'> &
  Row<'installation', 'installation_id'> & {
    readonly host: string | null;
    readonly state: SealedState;
    readonly is_turn_open: boolean;
    readonly now: string;
  } & UsageColumns &
  DelegatedColumns;

/**
 * Locks goal, then journal, and reads both afterwards: a statement that waits for a lock would
 * see the joined rows as they were before the wait.
 */
export async function lockGoal(tx: Transaction, goalId: string): Promise<LockedGoal | null> {
  const locked = await tx`
    SELECT 1 FROM goal g JOIN journal j USING (goal_id)
    WHERE g.goal_id = ${goalId} FOR UPDATE OF g, j`;
  return locked.count === 0 ? null : readLocked(tx, goalId);
}

async function readLocked(sql: Executor, goalId: string): Promise<LockedGoal> {
  const goal = await lookAtGoal(sql, goalId);
  if (goal === null) throw new TypeError(`${goalId} is locked and gone`);
  return goal;
}

/** The same without a lock; null when there is no such goal. */
export async function lookAtGoal(sql: Executor, goalId: string): Promise<LockedGoal | null> {
  const [row] = await sql<StateRow[]>`
    SELECT g.epoch, g.run_id, g.revision, g.snapshot, g.counters, g.policy, g.budget, g.mode,
      g.fallback_model, g.criteria, g.criteria_revision, g.workspace_name, g.created_at, g.parent_goal_id,
      g.driver, ${sealedState(sql)} AS state,
      clock_timestamp() AS now, j.turn, j.token, j.seals, j.seal_head,
      j.ledger_seq, j.ledger_head, coalesce(t.state = 'open', false) AS is_turn_open,
      w.host, (SELECT installation_id FROM installation) AS installation_id, coalesce(w.write_seq, 0) AS write_seq, g.model,
      ${usageColumns(sql)}, ${delegatedColumns(sql)}
    FROM goal g JOIN journal j USING (goal_id) ${joinDelegated(sql)}
    LEFT JOIN turn t ON t.goal_id = g.goal_id AND t.turn = j.turn
    LEFT JOIN workspace w ON w.name = g.workspace_name
    WHERE g.goal_id = ${goalId}`;
  if (row === undefined) return null;
  return {
    state: toState(goalId, row),
    stands: row.state,
    usage: toTotal(row),
    runId: row.run_id,
    criteria: row.criteria,
    model: row.model,
    fallbackModel: row.fallback_model,
    workspaceName: row.workspace_name,
    writeSeq: row.write_seq,
    ledger: { seq: row.ledger_seq, hash: row.ledger_head },
    sealEnd: { number: row.seals, hash: row.seal_head ?? genesisHash(goalId) },
    token: row.token,
    createdAt: row.created_at,
    now: row.now,
    parentGoalId: row.parent_goal_id,
  };
}

function toState(goalId: string, row: StateRow): GoalState {
  return {
    goalId,
    epoch: row.epoch,
    revision: row.revision,
    chart: row.snapshot,
    counters: row.counters,
    policy: resolvePolicy(row.policy),
    budget: row.budget,
    mode: row.mode,
    hasFallbackModel: isFallback(row.fallback_model, row.model),
    criteriaRevision: row.criteria_revision,
    turn: row.turn,
    isTurnOpen: row.is_turn_open,
    taskQueue: row.host === null ? '' : taskQueuesOf(row.installation_id).workspacesOf(row.host),
    ...(row.parent_goal_id === null ? {} : { isDelegate: true }),
    ...(row.driver === 'external' ? { isExternal: true } : {}),
  };
}

/** @throws Superseded when another run or epoch holds the goal */
export function heldBy(goal: LockedGoal | null, { goalId, epoch, runId }: Execution): LockedGoal {
  if (goal === null || goal.state.epoch !== epoch || goal.runId !== runId) {
    throw new Superseded(`${goalId}: run ${runId} no longer holds the goal`);
  }
  return goal;
}

/** Changes of one revision; absent fields stay. */
export interface Revision {
  readonly chart: ChartSnapshot;
  readonly counters?: Counters;
  readonly budget?: Budget;
  readonly policy?: Policy;
  readonly completion?: Completion;
  readonly criteria?: readonly TrackedCriterion[];
  readonly criteriaRevision?: number;
  /** The goal is asked for something else, which the model has to be told. */
  readonly asksAnew?: boolean;
  readonly mode?: Mode;
  readonly objective?: string;
  readonly model?: string;
  readonly fallbackModel?: string | null;
  readonly toolRules?: readonly ToolRule[];
  readonly notify?: readonly NotifyTarget[];
  readonly priority?: number;
  /** A new epoch has no run yet. */
  readonly epoch?: number;
  readonly now: string;
  readonly events: readonly NewEvent[];
}

/** Writes revision N + 1 with its events; the goal is locked, so N can't have moved. */
export async function saveRevision(
  tx: Transaction,
  keys: LedgerKeys,
  goal: LockedGoal,
  change: Revision,
): Promise<GoalState> {
  const { state, workspaceName } = goal;
  const { goalId } = state;
  const { now } = change;
  const { chart, end } = closeRevision(change.chart, goal.parentGoalId !== null);
  const next: GoalState = {
    ...state,
    chart,
    counters: change.counters ?? state.counters,
    budget: change.budget ?? state.budget,
    policy: change.policy ?? state.policy,
    criteriaRevision: change.criteriaRevision ?? state.criteriaRevision,
    mode: change.mode ?? state.mode,
    epoch: change.epoch ?? state.epoch,
    revision: state.revision + 1,
    hasFallbackModel: isFallback(
      change.fallbackModel === undefined ? goal.fallbackModel : change.fallbackModel,
      change.model ?? goal.model,
    ),
  };
  const isNewlyArchived = chart.context.isArchived && !state.chart.context.isArchived;
  const columns = {
    ...columnsOf(tx, next, now),
    ...optionalColumns(tx, change),
    ...(isNewlyArchived ? { archived_at: now } : {}),
  };
  await tx`UPDATE goal SET ${tx(columns)} WHERE goal_id = ${goalId}`;
  const seal = sealOfState(keys, goal.stands, chart);
  await tx`
    WITH held AS (SELECT goal_id FROM journal WHERE goal_id = ${goalId})
      ${sealStored(tx, seal, tx`held`)}
    UPDATE journal SET is_open = ${isOpen(chart)}, epoch = ${next.epoch},
      goal_revision = ${next.revision}
      ${change.asksAnew === true ? tx`, amended_revision = ${next.revision}` : tx``}
    WHERE goal_id = ${goalId}`;
  const followUps = followUpsOf(state.chart, chart, next.isTurnOpen);
  const { superseded } = followUps;
  if (superseded !== null) await supersedeApprovals(tx, goalId, superseded);
  if (followUps.leavesDispute) await supersedeDisputes(tx, goalId);
  if (followUps.leavesRequestedWait) await overtakeElection(tx, keys, goalId);
  await storeNotification(tx, keys, state.chart, next, change);
  await appendEvents(tx, goalId, [...change.events, changedEvent(next, now)]);
  await settleWorkspace(tx, goalId, workspaceName, followUps);
  if (end !== null) await reportEnd(tx, keys, goalId, end, change.completion?.result ?? '');
  if (followUps.wanted !== null) await leadDelegates(tx, keys, goalId, followUps.wanted);
  return next;
}

async function settleWorkspace(
  tx: Transaction,
  goalId: string,
  workspace: string,
  { leavesQueue, leavesRequestedWait, releasesWorkspace }: FollowUps,
): Promise<void> {
  if (leavesQueue) await leaveQueue(tx, goalId);
  if (leavesRequestedWait) await countLentAsWritten(tx, goalId, workspace);
  if (releasesWorkspace === 'no') return;
  await tx`
    UPDATE workspace SET lease_goal_id = NULL, lease_epoch = NULL, leased_at = NULL
    WHERE name = ${workspace} AND lease_goal_id = ${goalId}
      AND (${releasesWorkspace === 'always'} OR NOT ${isRewinding(tx, goalId)})`;
}

const isFallback = (fallbackModel: string | null, model: string): boolean =>
  fallbackModel !== null && fallbackModel !== model;

function columnsOf(tx: Transaction, next: GoalState, now: string) {
  const { chart } = next;
  const pause = pauseOf(chart);
  return {
    status: statusOf(chart),
    snapshot: tx.json(storable(chart)),
    counters: tx.json(storable(next.counters)),
    budget: tx.json(storable(next.budget)),
    policy: tx.json(storable(next.policy)),
    pause: pause === null ? null : tx.json(storable(pause)),
    activity: tx.json(storable(activityOf(chart, now))),
    revision: next.revision,
    criteria_revision: next.criteriaRevision,
    mode: next.mode,
    epoch: next.epoch,
    updated_at: now,
  };
}

function optionalColumns(tx: Transaction, change: Revision) {
  const { completion, criteria, criteriaRevision, objective, model, fallbackModel, epoch } = change;
  return {
    ...(completion === undefined ? {} : { completion: tx.json(storable(completion)) }),
    ...(criteria === undefined ? {} : { criteria: tx.json(storable(criteria)) }),
    // The caller's own criteria take the place of detected ones.
    ...(criteria === undefined || criteriaRevision === undefined
      ? {}
      : { detects_criteria: false }),
    ...(objective === undefined ? {} : { objective }),
    ...(model === undefined ? {} : { model }),
    ...(fallbackModel === undefined ? {} : { fallback_model: fallbackModel }),
    ...(change.toolRules === undefined ? {} : { tool_rules: tx.json(storable(change.toolRules)) }),
    ...(change.notify === undefined ? {} : { notify: tx.json(storable(change.notify)) }),
    ...(change.priority === undefined ? {} : { priority: change.priority }),
    ...(epoch === undefined ? {} : { run_id: null }),
  };
}

function changedEvent({ chart, revision }: GoalState, now: string): NewEvent {
  const pause = pauseOf(chart);
  return {
    type: 'goal.changed',
    data: {
      status: statusOf(chart),
      revision,
      activity: activityOf(chart, now),
      ...(pause === null ? {} : { reason: pause.reason }),
    },
  };
}
