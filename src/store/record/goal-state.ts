import type { ParameterOrJSON } from 'postgres';
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
import {
  changedFacts,
  type FactsRow,
  factsColumns,
  lastSealsOfFacts,
} from '../ledger/goal-facts.ts';
import { genesisHash } from '../ledger/ledger-chain.ts';
import { type LedgerKeys, noKeys } from '../ledger/ledger-keys.ts';
import type { SealRow } from '../ledger/seals.ts';
import { type SealedState, sealedState, sealOfState } from '../ledger/state-seal.ts';
import { newSeals, sealsEnded, sealsStored } from '../ledger/store-seals.ts';
import type { LockedGoal } from '../locked-goal.ts';
import { storeNotification } from '../notices/notifications.ts';
import type { Row } from '../row.ts';
import { type UsageColumns, usageColumns } from '../usage-row.ts';
import { overtakeElection } from '../waits/elections.ts';
import { countLentAsWritten, isRewinding, leaveQueue } from '../workspaces/workspace-lease.ts';

/** Of its facts, what is needed without them. */
type OwnFacts = Pick<
  FactsRow,
  | 'parent_goal_id'
  | 'counters'
  | 'policy'
  | 'budget'
  | 'mode'
  | 'fallback_model'
  | 'criteria'
  | 'workspace_name'
  | 'created_at'
  | 'model'
  | 'driver'
>;

type StateRow = OwnFacts &
  Row<'goal', 'epoch' | 'run_id' | 'revision' | 'snapshot' | 'criteria_revision'> &
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
 * @param sealsFacts by these keys {@link saveRevision} seals the facts that it changes
 */
export async function lockGoal(
  tx: Transaction,
  goalId: string,
  sealsFacts: LedgerKeys = noKeys,
): Promise<LockedGoal | null> {
  const locked = await tx`
    SELECT 1 FROM goal g JOIN journal j USING (goal_id)
    WHERE g.goal_id = ${goalId} FOR UPDATE OF g, j`;
  return locked.count === 0 ? null : readLocked(tx, goalId, sealsFacts);
}

async function readLocked(
  sql: Executor,
  goalId: string,
  sealsFacts: LedgerKeys,
): Promise<LockedGoal> {
  const goal = await lookAtGoal(sql, goalId, sealsFacts);
  if (goal === null) throw new TypeError(`${goalId} is locked and gone`);
  return goal;
}

/** The same without a lock; null when there is no such goal. */
export async function lookAtGoal(
  sql: Executor,
  goalId: string,
  { sealing }: LedgerKeys = noKeys,
): Promise<LockedGoal | null> {
  const facts = sealing === null ? ownFacts(sql) : foundFacts(sql);
  const [row] = await sql<(StateRow | (StateRow & FoundColumns))[]>`
    SELECT ${facts}, g.epoch, g.run_id, g.revision, g.snapshot, g.criteria_revision,
      ${sealedState(sql)} AS state,
      clock_timestamp() AS now, j.turn, j.token, j.seals, j.seal_head,
      j.ledger_seq, j.ledger_head, coalesce(t.state = 'open', false) AS is_turn_open,
      w.host, (SELECT installation_id FROM installation) AS installation_id, coalesce(w.write_seq, 0) AS write_seq,
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
    ...('fact_seals' in row ? { facts: { row, seals: row.fact_seals } } : {}),
  };
}

const ownFacts = (sql: Executor) => sql`
  g.parent_goal_id, g.counters, g.policy, g.budget, g.mode, g.fallback_model, g.criteria,
  g.workspace_name, g.created_at, g.model, g.driver`;

const foundFacts = (sql: Executor) => sql`
  ${factsColumns(sql)}, ${lastSealsOfFacts(sql)} AS fact_seals`;

type FoundColumns = FactsRow & { readonly fact_seals: readonly SealRow[] };

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
    ...columnsOf(next, now),
    ...optionalColumns(change),
    ...(isNewlyArchived ? { archived_at: now } : {}),
  };
  await tx`UPDATE goal SET ${tx(stored(tx, columns))} WHERE goal_id = ${goalId}`;
  const seal = sealOfState(keys, goal.stands, chart);
  const facts = goal.facts === undefined ? [] : changedFacts(goal.facts, columns);
  const place = { goalId, end: goal.sealEnd, ledger: goal.ledger, at: now };
  const seals = newSeals(keys, place, facts);
  await tx`
    WITH held AS (SELECT goal_id FROM journal WHERE goal_id = ${goalId})
      ${sealStored(tx, seal, tx`held`)}
      ${seals === null ? tx`` : tx`, ${sealsStored(tx, seals)}`}
    UPDATE journal SET ${seals === null ? tx`` : tx`${sealsEnded(tx, seals)},`} is_open = ${isOpen(chart)}, epoch = ${next.epoch},
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

function columnsOf(next: GoalState, now: string) {
  const { chart, counters, budget, policy, revision, mode, epoch } = next;
  return {
    ...{ status: statusOf(chart), snapshot: chart, counters, budget, policy },
    ...{ pause: pauseOf(chart), activity: activityOf(chart, now) },
    ...{ revision, criteria_revision: next.criteriaRevision, mode, epoch, updated_at: now },
  };
}

function optionalColumns(change: Revision) {
  const { completion, criteria, criteriaRevision, objective, model, fallbackModel, epoch } = change;
  return {
    ...(completion === undefined ? {} : { completion }),
    ...(criteria === undefined ? {} : { criteria }),
    // The caller's own criteria take the place of detected ones.
    ...(criteria === undefined || criteriaRevision === undefined
      ? {}
      : { detects_criteria: false }),
    ...(objective === undefined ? {} : { objective }),
    ...(model === undefined ? {} : { model }),
    ...(fallbackModel === undefined ? {} : { fallback_model: fallbackModel }),
    ...(change.toolRules === undefined ? {} : { tool_rules: change.toolRules }),
    ...(change.notify === undefined ? {} : { notify: change.notify }),
    ...(change.priority === undefined ? {} : { priority: change.priority }),
    ...(epoch === undefined ? {} : { run_id: null }),
  };
}

/** Whatever has parts is a JSON column. */
const stored = <Columns extends object>(tx: Transaction, columns: Columns) =>
  Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? tx.json(storable(value)) : value,
    ]),
  ) as { readonly [Name in keyof Columns]: ParameterOrJSON<never> };

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
