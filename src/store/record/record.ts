import { OrderRefused, OtherInstallation, Superseded } from '../../contract/failures.ts';
import type { GoalState } from '../../contract/goal-state.ts';
import type { Execution, MutationResult, RecordPort } from '../../contract/record.ts';
import { applyWait, step } from '../../goal/chart/machine.ts';
import { isOpen, isWaiting } from '../../goal/chart/view.ts';
import { type Database, type Transaction, withTypedErrors } from '../client.ts';
import { type NotifyDelegation, notifyDelegation } from '../delegates/delegation-wakeups.ts';
import { readInstallation } from '../installation.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { sealBeginning } from '../ledger/store-seals.ts';
import { notifyCancel } from '../notices/notifier.ts';
import { storeRun } from '../reads/runs.ts';
import { type NotifyNext, notifyNext, takeLease } from '../workspaces/workspace-lease.ts';
import { commitOwn, type OwnChange } from './commit-own.ts';
import { expire } from './expire.ts';
import { fireWait } from './fire-wait.ts';
import { lockGoal, saveRevision } from './goal-state.ts';
import { recordBaseline } from './record-baseline.ts';
import { commitMutation } from './record-mutation.ts';
import { recordTurn } from './record-turn.ts';
import { settleSlice } from './settle-slice.ts';
import { syncDelegation } from './sync-delegation.ts';

export interface RecordOptions {
  /** Called after each commit; it must not throw or block. */
  readonly onAppended?: (goalId: string) => void;
  /**
   * Called with the goal that is next in line for a released workspace; it must not throw or block.
   */
  readonly onWorkspaceFree?: NotifyNext;
  /** Called with a parent or delegate to wake; it must not throw or block. */
  readonly onFamily?: NotifyDelegation;
  /** Seal the ledger's rows and what decides. */
  readonly ledgerKeys: LedgerKeys;
}

/** The record in Postgres: each method locks its goal, checks who holds it, and commits once. */
export function createRecord(db: Database, options: RecordOptions): RecordPort {
  const notify = options.onAppended ?? (() => {});
  const keys = options.ledgerKeys;

  /** Notifies watchers after the commit and cancels the work of a closed goal. */
  async function announce(state: GoalState): Promise<void> {
    notify(state.goalId);
    const { chart, goalId } = state;
    const hasWorkspace = isOpen(chart) && !isWaiting(chart);
    if (!hasWorkspace && options.onWorkspaceFree !== undefined) {
      await notifyNext(db, goalId, options.onWorkspaceFree);
    }
    if (options.onFamily !== undefined) await notifyDelegation(db, goalId, options.onFamily);
    if (!isOpen(state.chart)) await notifyCancel(db, state.goalId);
  }

  return withTypedErrors<RecordPort>({
    async openExecution(execution, previousRunId) {
      const state = await db.begin((tx) => openExecution(tx, keys, execution, previousRunId));
      notify(state.goalId);
      return state;
    },

    async commitMutation(execution, order, goalId) {
      const result: MutationResult = await db.begin((tx) =>
        commitMutation(tx, keys, execution, { ...order, goalId }),
      );
      if (result.rewind === undefined) await announce(result.state);
      if (result.handedTo !== undefined) notify(result.handedTo);
      return result;
    },

    async commitWait(execution, change) {
      const state = await db.begin((tx) => commitWait(tx, keys, execution, change));
      await announce(state);
      return state;
    },

    async commitTransition(execution, change) {
      const state = await db.begin((tx) => commitTransition(tx, keys, execution, change));
      await announce(state);
      return state;
    },

    async expire(execution, change) {
      const state = await db.begin((tx) => expire(tx, keys, execution, change));
      await announce(state);
      return state;
    },

    async endWorkspaceWait(execution, change) {
      const state = await db.begin((tx) => endWorkspaceWait(tx, keys, execution, change));
      if (state.revision !== change.expectedRevision) notify(state.goalId);
      return state;
    },

    async fireWait(execution, change) {
      const state = await db.begin((tx) => fireWait(tx, keys, execution, change));
      await announce(state);
      return state;
    },

    async syncDelegation(execution, change) {
      const state = await db.begin((tx) => syncDelegation(tx, keys, execution, change));
      if (state.revision !== change.expectedRevision) await announce(state);
      return state;
    },

    async recordTurn(execution, turn) {
      const state = await db.begin((tx) => recordTurn(tx, execution, turn, keys));
      if (state !== null) await announce(state);
      return state;
    },

    async settleSlice(execution, fence, slice) {
      const settled = await db.begin((tx) => settleSlice(tx, keys, execution, fence, slice));
      if (settled !== null) await announce(settled.state);
      return settled;
    },

    async recordBaseline(execution, baseline, detected) {
      await db.begin((tx) => recordBaseline(tx, keys, execution, baseline, detected));
      notify(execution.goalId);
    },
  });
}

async function openExecution(
  tx: Transaction,
  keys: LedgerKeys,
  { goalId, epoch, runId, installation }: Execution,
  previousRunId: string | null,
): Promise<GoalState> {
  await assertOurs(tx, installation);
  const goal = await lockGoal(tx, goalId);
  // The record orders each start: it knows the goal, and the epoch before anybody may start it.
  if (goal === null || goal.state.epoch < epoch) throw new OrderRefused('no_order');
  const isFree = goal.runId === previousRunId || goal.runId === runId;
  if (goal.state.epoch !== epoch || !isFree || goal.state.chart.context.isArchived) {
    throw new Superseded(`${goalId}: run ${runId} may not take the goal at epoch ${epoch}`);
  }
  await tx`UPDATE goal SET run_id = ${runId} WHERE goal_id = ${goalId}`;
  await storeRun(tx, goal.state, runId);
  await sealBeginning(tx, keys, goalId);
  return goal.state;
}

/** Whose goal it is, only its own record can say; this one says nothing of it. */
async function assertOurs(tx: Transaction, installation: string | undefined): Promise<void> {
  if (installation === undefined) return;
  const own = await readInstallation(tx);
  if (installation === own) return;
  throw new OtherInstallation(
    `The goal belongs to the installation ${installation}, and this record to ${own}`,
  );
}

const commitWait = (
  tx: Transaction,
  keys: LedgerKeys,
  execution: Execution,
  { wait, ...change }: Parameters<RecordPort['commitWait']>[1],
): Promise<GoalState> =>
  commitOwn(tx, execution, change, (goal) =>
    saveRevision(tx, keys, goal, {
      chart: applyWait(goal.state, wait),
      events: [],
      now: goal.now,
    }),
  );

const commitTransition = (
  tx: Transaction,
  keys: LedgerKeys,
  execution: Execution,
  { event, ...change }: Parameters<RecordPort['commitTransition']>[1],
): Promise<GoalState> =>
  commitOwn(tx, execution, change, (goal) =>
    saveRevision(tx, keys, goal, {
      chart: step(goal.state.chart, event),
      events: event.type === 'model.fell_back' ? [{ type: event.type, data: event.fallback }] : [],
      now: goal.now,
    }),
  );

const endWorkspaceWait = (
  tx: Transaction,
  keys: LedgerKeys,
  execution: Execution,
  change: OwnChange,
): Promise<GoalState> =>
  commitOwn(tx, execution, change, async (goal) => {
    const { goalId, epoch } = execution;
    if (!(await takeLease(tx, { goalId, epoch }, goal.workspaceName))) return null;
    const chart = applyWait(goal.state, null);
    return await saveRevision(tx, keys, goal, { chart, events: [], now: goal.now });
  });
