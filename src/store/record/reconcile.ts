import type { Isolation } from '../../../schema/isolation.ts';
import type { RefusedWorkspace } from '../../../schema/operations.ts';
import type { ProcessIdentity } from '../../contract/process-identity.ts';
import type { Trouble } from '../../contract/stuck-run.ts';
import { isOpen, isOver } from '../../goal/chart/view.ts';
import { afterLostExecution } from '../../record/status/lost-execution.ts';
import { type Executor, type Transaction, withTypedErrors } from '../client.ts';
import { type DelegationWakeup, delegationWakeups } from '../delegates/delegation-wakeups.ts';
import { eachAlone } from '../each-alone.ts';
import { withHeldLock } from '../held-lock.ts';
import { type HelperRow, helperOf } from '../journal/helper-row.ts';
import { chargeLostSteps } from '../journal/lost-steps.ts';
import { storable, storableText } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { overOf } from '../ledger/over-goals.ts';
import { GONE_AFTER_MS } from '../reads/worker-state.ts';
import type { Row } from '../row.ts';
import type { PrismaClient, Store } from '../store.ts';
import { endCheck } from '../workspaces/check-loan.ts';
import { type NextInLine, nextInLine } from '../workspaces/workspace-lease.ts';
import { beginFollowing } from './begin-following.ts';
import { beginDue, releaseLeaked } from './due-delegates.ts';
import { lockGoal, saveRevision } from './goal-state.ts';

export interface StartableGoal {
  readonly goalId: string;
  readonly epoch: number;
}

export interface RunningGoal {
  readonly goalId: string;
  readonly epoch: number;
  readonly runId: string;
  readonly revision: number;
}

export interface LeftExecution extends RunningGoal {
  /** Its payloads are readable, or its tasks lie on the queue of a host that has its workspace no more. */
  readonly why: 'unsealed' | 'moved';
}

export interface SeenWorker {
  readonly workerId: string;
  readonly host: string;
  readonly pid: number;
  readonly taskQueues: readonly string[];
  readonly version: string;
  /** Models that only this worker knows, as goals name them. */
  readonly models?: readonly string[];
  readonly isolation: Isolation;
  /** What holds its commands to memory and processes. */
  readonly limitedBy?: 'kernel' | 'counting';
  readonly tools?: readonly string[];
  /** Slices that it runs now, and at most at once. */
  readonly slices?: number;
  readonly slots?: number;
  readonly isDraining?: boolean;
  /** Id of the key by which it encrypts what it sends to Temporal. */
  readonly temporalKey?: string;
  /** Workspaces that it was told to serve and refused. */
  readonly refused?: readonly RefusedWorkspace[];
}

export interface StaleLease {
  readonly workspace: string;
  readonly holder: { readonly kind: 'goal' | 'check'; readonly id: string };
  /** Helper that must have ended before the lease is released. */
  readonly helper: ProcessIdentity | null;
}

/**
 * Inconsistencies that crashes leave between Postgres and Temporal, and the writes that repair
 * them.
 */
export interface ReconcileStore {
  /** Accepted, or resumed through the record, without an execution. */
  goalsToStart(): Promise<StartableGoal[]>;
  /** Every goal that a run holds, also archived and complete ones. */
  goalsRunning(): Promise<RunningGoal[]>;
  /** Executions of goals that were cleared or replaced. */
  archivedExecutions(): Promise<RunningGoal[]>;
  /**
   * Abandons a lost execution: the epoch is raised and has no run; an active goal is paused for
   * recovery, or goes on by its policy.
   * @returns false when the goal moved on since it was read
   */
  markLost(lost: Omit<RunningGoal, 'runId'> & { runId: string | null }): Promise<boolean>;
  /** Executions from before payloads to Temporal were encrypted, or for another host than now. */
  leftExecutions(): Promise<LeftExecution[]>;
  /**
   * Leaves an execution: the goal goes on under the next epoch as it is.
   * @returns false when the goal moved on since it was read, or is over
   */
  renew(left: RunningGoal): Promise<boolean>;
  /** Goals that were seen to be stuck, and still have the run that was. */
  stuckRuns(): Promise<ReadonlySet<string>>;
  noteStuck(goal: RunningGoal, trouble: Trouble): Promise<void>;
  noteUnstuck(goal: RunningGoal): Promise<void>;
  /** Charges calls whose end nobody will see, of goals without a run that take no more steps. */
  chargeStranded(): Promise<void>;
  /** @returns false when another worker has the lock; `work` then didn't run. */
  withReconcilerLock(work: () => Promise<void>): Promise<boolean>;
  /** Open goals whose newest attempt was this worker's. */
  heldBy(workerId: string): Promise<StartableGoal[]>;
  /**
   * Leases on this host of goals that take no more steps and have no execution, that work elsewhere
   * or are not there, and of checks whose worker is gone or was replaced by another process, or that
   * nobody runs.
   */
  staleLeases(host: string): Promise<StaleLease[]>;
  /** @returns false when the goal became open again meanwhile */
  releaseLease(lease: Pick<StaleLease, 'workspace' | 'holder'>): Promise<boolean>;
  /** The first in line of every workspace that nobody holds. */
  nextInLine(): Promise<NextInLine[]>;
  /** Goals that have to look at their parent or a delegate, and delegates to start. */
  delegationWakeups(): Promise<DelegationWakeup[]>;
  /**
   * Begins the delegates whose delay is over.
   * @returns milliseconds until the next one's time; null = none is delayed
   */
  beginDue(): Promise<number | null>;
  /** Begins the goals that come right after complete ones. */
  beginFollowing(): Promise<void>;
  /** Releases budget shares of delegates that are over. */
  releaseLeaked(): Promise<number>;
  workerSeen(worker: SeenWorker): Promise<void>;
  removeWorker(workerId: string): Promise<void>;
}

/** Upper bound of a person's check, including the time to report it. */
const CHECK_ENDS_SECONDS = 200;

const RESUMES_AN_HOUR = 3;

/** Of a failure's words: they may hold a stack. */
const MOST_FAILURE = 2000;

const LOCK_NAME = 'goalkeeper reconciler';

interface ReconcileOptions {
  readonly ledgerKeys: LedgerKeys;
  /** Secrets out of what tasks failed with. */
  readonly mask?: (text: string) => string;
  readonly onAppended?: (goalId: string) => void;
}

export function createReconcileStore(
  { sql: db, prisma }: Store,
  options: ReconcileOptions,
): ReconcileStore {
  const keys = options.ledgerKeys;
  const mask = options.mask ?? ((text) => text);
  return withTypedErrors<ReconcileStore>({
    async goalsToStart() {
      return db<StartableGoal[]>`
        SELECT g.goal_id AS "goalId", g.epoch FROM goal g JOIN journal j USING (goal_id)
        WHERE g.run_id IS NULL AND g.archived_at IS NULL AND j.is_open
        ORDER BY g.created_at LIMIT 500`;
    },

    async goalsRunning() {
      return readRunning(prisma, {});
    },

    async archivedExecutions() {
      const called = await readRunning(prisma, { archivedAt: { not: null } });
      const over = await overOf(
        db,
        keys,
        called.map(({ goalId }) => goalId),
      );
      const cleared = new Set(over.flatMap((goal) => (goal.isCleared ? [goal.goalId] : [])));
      return called.filter(({ goalId }) => cleared.has(goalId));
    },

    async leftExecutions() {
      return db<LeftExecution[]>`
        SELECT g.goal_id AS "goalId", g.epoch, g.run_id AS "runId", g.revision,
          CASE WHEN r.is_sealed THEN 'moved' ELSE 'unsealed' END AS why
        FROM goal g JOIN run r USING (goal_id, run_id)
        LEFT JOIN workspace w ON w.name = g.workspace_name
        WHERE NOT r.is_sealed OR r.host <> w.host
        ORDER BY g.created_at LIMIT 500`;
    },

    async renew(left) {
      const isRenewed = await db.begin((tx) => leaveExecution(tx, keys, left, 'renewed'));
      options.onAppended?.(left.goalId);
      return isRenewed;
    },

    async markLost(lost) {
      const isMarked = await db.begin((tx) => leaveExecution(tx, keys, lost, 'lost'));
      if (isMarked) options.onAppended?.(lost.goalId);
      return isMarked;
    },

    async stuckRuns() {
      await db`
        DELETE FROM stuck_run u WHERE NOT EXISTS (
          SELECT FROM goal g WHERE g.goal_id = u.goal_id AND g.run_id = u.run_id)`;
      const rows = await db<Row<'stuck_run', 'goal_id'>[]>`SELECT goal_id FROM stuck_run`;
      return new Set(rows.map((row) => row.goal_id));
    },

    async noteStuck({ goalId, runId }, { task, attempts, failure }) {
      await db`
        INSERT INTO stuck_run (goal_id, run_id, task, attempts, failure)
        VALUES (${goalId}, ${runId}, ${task}, ${attempts}, ${storableText(mask(failure).slice(0, MOST_FAILURE))})
        ON CONFLICT (goal_id) DO UPDATE SET run_id = excluded.run_id, task = excluded.task,
          attempts = excluded.attempts, failure = excluded.failure,
          since = CASE WHEN stuck_run.run_id = excluded.run_id THEN stuck_run.since ELSE now() END`;
      options.onAppended?.(goalId);
    },

    async noteUnstuck({ goalId, runId }) {
      await db`DELETE FROM stuck_run WHERE goal_id = ${goalId} AND run_id = ${runId}`;
      options.onAppended?.(goalId);
    },

    async chargeStranded() {
      const goals = await db<Row<'step', 'goal_id'>[]>`
        SELECT DISTINCT goal_id FROM step s JOIN goal g USING (goal_id) JOIN journal j USING (goal_id)
        WHERE s.state = 'sent' AND g.run_id IS NULL AND NOT j.is_open LIMIT 100`;
      await eachAlone(goals, async ({ goal_id: goalId }) => {
        await db.begin((tx) => chargeUnlessHeld(tx, keys, goalId));
        options.onAppended?.(goalId);
      });
    },

    withReconcilerLock: (work) => withHeldLock(db, LOCK_NAME, work),

    async heldBy(workerId) {
      return db<StartableGoal[]>`
        SELECT g.goal_id AS "goalId", g.epoch
        FROM attempt a
        JOIN journal j ON j.goal_id = a.goal_id AND j.token = a.token
        JOIN goal g ON g.goal_id = a.goal_id
        WHERE a.worker_id = ${workerId} AND g.run_id IS NOT NULL
          AND g.status <> 'complete' AND g.archived_at IS NULL`;
    },

    async staleLeases(host) {
      const rows = await db<LeaseRow[]>`
        SELECT w.name, 'goal' AS kind, w.lease_goal_id AS id, a.host, a.helper_pid,
          a.helper_started_at, a.helper_is_init
        FROM workspace w
        LEFT JOIN goal g ON g.goal_id = w.lease_goal_id AND g.workspace_name = w.name
        LEFT JOIN journal j ON j.goal_id = g.goal_id
        LEFT JOIN attempt a ON a.goal_id = j.goal_id AND a.token = j.token
        WHERE w.host = ${host} AND w.lease_goal_id IS NOT NULL AND ${isLeaseOver(db)}
        UNION ALL
        SELECT w.name, 'check', w.lease_check_id, a.host, a.helper_pid, a.helper_started_at,
          a.helper_is_init
        FROM workspace w LEFT JOIN check_run a ON a.check_id = w.lease_check_id
        WHERE w.host = ${host} AND w.lease_check_id IS NOT NULL
          AND (a.check_id IS NULL
            OR w.leased_at IS NULL OR w.leased_at > now() + interval '1 minute'
            OR w.leased_at < now() - make_interval(secs => ${CHECK_ENDS_SECONDS})
            OR (a.worker_id IS NOT NULL AND NOT EXISTS (
              SELECT 1 FROM worker k WHERE k.worker_id = a.worker_id
                AND k.seen_at > now() - make_interval(secs => ${GONE_AFTER_MS / 1000})
                AND k.started_at < w.leased_at + interval '1 second')))`;
      return rows.map(toStaleLease);
    },

    async releaseLease({ workspace, holder }) {
      if (holder.kind === 'check') return endCheck(db, workspace, holder.id);
      const released = await db`
        UPDATE workspace w SET lease_goal_id = NULL, lease_epoch = NULL, leased_at = NULL
        WHERE w.name = ${workspace} AND w.lease_goal_id = ${holder.id} AND ${isLeaseOver(db)}`;
      return released.count === 1;
    },

    nextInLine: () => nextInLine(db),
    delegationWakeups: () => delegationWakeups(db),
    beginDue: () => beginDue(db, keys),
    async beginFollowing() {
      const changed = await beginFollowing(db, keys);
      for (const goalId of changed) options.onAppended?.(goalId);
    },

    releaseLeaked: () => releaseLeaked(db, keys),

    async workerSeen({ workerId, host, pid, taskQueues, version, isolation, ...now }) {
      const {
        models = [],
        tools = [],
        slices = 0,
        slots = 0,
        isDraining = false,
        temporalKey = null,
        refused = [],
        limitedBy = 'counting',
      } = now;
      const row = {
        worker_id: workerId,
        host,
        pid,
        task_queues: db.json(storable(taskQueues)),
        version,
        isolation,
        limited_by: limitedBy,
        models: db.json(storable(models)),
        tools: db.json(storable(tools)),
        slices,
        slots,
        is_draining: isDraining,
        temporal_key: temporalKey,
        refused: db.json(storable(refused)),
      };
      await db`
        INSERT INTO worker ${db(row)} ON CONFLICT (worker_id) DO UPDATE SET seen_at = now(),
          started_at = CASE WHEN worker.pid = excluded.pid THEN worker.started_at ELSE now() END,
          pid = excluded.pid,
          task_queues = excluded.task_queues, models = excluded.models, tools = excluded.tools,
          slices = excluded.slices, slots = excluded.slots, is_draining = excluded.is_draining,
          temporal_key = excluded.temporal_key, refused = excluded.refused,
          limited_by = excluded.limited_by`;
    },

    async removeWorker(workerId) {
      await prisma.worker.deleteMany({ where: { workerId } });
    },
  });
}

async function readRunning(
  { goal }: PrismaClient,
  which: { readonly archivedAt?: { readonly not: null } },
): Promise<RunningGoal[]> {
  const rows = await goal.findMany({
    where: { runId: { not: null }, ...which },
    select: { goalId: true, epoch: true, runId: true, revision: true },
    orderBy: { createdAt: 'asc' },
  });
  return rows.flatMap(({ runId, ...row }) => (runId === null ? [] : [{ ...row, runId }]));
}

type LeaseRow = Row<'workspace', 'name'> & StaleLease['holder'] & HelperRow;

/** No goal that works in the workspace `w`, or goes on there, is the one that holds it. */
const isLeaseOver = (sql: Executor) => sql`
  NOT EXISTS (SELECT 1 FROM goal h JOIN journal o USING (goal_id)
    WHERE h.goal_id = w.lease_goal_id AND h.workspace_name = w.name
      AND (h.run_id IS NOT NULL OR o.is_open))`;

const toStaleLease = (row: LeaseRow): StaleLease => ({
  workspace: row.name,
  holder: { kind: row.kind, id: row.id },
  helper: helperOf(row),
});

/** A lost execution pauses the goal, as nobody knows why, unless its policy says that it goes on. */
async function leaveExecution(
  tx: Transaction,
  keys: LedgerKeys,
  { goalId, epoch, runId, revision }: Omit<RunningGoal, 'runId'> & { runId: string | null },
  why: 'lost' | 'renewed',
): Promise<boolean> {
  const goal = await lockGoal(tx, goalId);
  const state = goal?.state;
  if (goal === null || state?.epoch !== epoch || goal.runId !== runId) return false;
  if (state.revision !== revision) return false;
  // The fencing token now rejects a slice that outlives its execution.
  await chargeLostSteps(tx, keys, goalId);
  if (isOver(state.chart)) {
    // The execution ended normally; nothing has to be recovered.
    await tx`UPDATE goal SET run_id = NULL WHERE goal_id = ${goalId}`;
    return false;
  }
  const { now } = goal;
  const goesOn =
    why === 'renewed' || (state.policy.onLost === 'resume' && !(await wasLostOften(tx, goalId)));
  await saveRevision(tx, keys, goal, {
    chart: goesOn ? state.chart : afterLostExecution(state.chart, now),
    epoch: epoch + 1,
    now,
    events: [{ type: `execution.${goesOn ? 'renewed' : 'lost'}`, data: { epoch, runId, why } }],
  });
  return true;
}

/** What is lost again and again is not mended by beginning anew. */
async function wasLostOften(tx: Transaction, goalId: string): Promise<boolean> {
  const renewed = await tx`
    SELECT FROM event WHERE goal_id = ${goalId} AND type = 'execution.renewed'
      AND data->>'why' = 'lost' AND at > now() - interval '1 hour' LIMIT ${RESUMES_AN_HOUR}`;
  return renewed.count === RESUMES_AN_HOUR;
}

async function chargeUnlessHeld(tx: Transaction, keys: LedgerKeys, goalId: string): Promise<void> {
  const goal = await lockGoal(tx, goalId);
  if (goal === null || goal.runId !== null || isOpen(goal.state.chart)) return;
  await chargeLostSteps(tx, keys, goalId);
}
