import type { Logger } from 'pino';
import { commitOfLease } from '../contract/applies.ts';
import type { ProcessIdentity } from '../contract/process-identity.ts';
import type { TaskQueues } from '../contract/task-queues.ts';
import { startRounds } from '../process/rounds.ts';
import { isRowsFault } from '../store/client.ts';
import type {
  LeftExecution,
  ReconcileStore,
  RunningGoal,
  StartableGoal,
} from '../store/record/reconcile.ts';
import { type AlarmKeeperPorts, catchUp, keepAlarms } from './alarm-keeper.ts';
import { deliverWakeup } from './delegation-notifier.ts';
import type { ExecutionsPort, SeenExecution } from './executions.ts';

const EVERY_MS = 5000;
const LEAST_PAUSE_MS = 250;

export interface ReconcilerPorts {
  readonly executions: ExecutionsPort;
  readonly queues: Pick<TaskQueues, 'goals'>;
  readonly store: ReconcileStore;
  readonly schedules: AlarmKeeperPorts;
  readonly log: Logger;
  readonly host: string;
  readonly endHelper: (helper: ProcessIdentity) => Promise<void>;
  /** Ends what a worker left half done, before its workspace is given to others. */
  readonly finishApply: (commitId: string) => Promise<void>;
}

/** Executions checked in one round, so that thousands of resting goals cost little. */
const LOOKS_A_ROUND = 25;
/** The number after a round that found a lost execution, which is seldom alone. */
const LOOKS_IN_TROUBLE = 200;

/** The position of the rounds; each continues after the one before. */
export interface Looks {
  next: number;
  size: number;
}

export const firstLooks = (): Looks => ({ next: 0, size: LOOKS_A_ROUND });

/**
 * Finishes what crashes left between Postgres and Temporal: starts goals that were accepted,
 * ends executions of replaced goals, and gives up executions that Temporal lost. Runs in every
 * worker; an advisory lock lets one of them work.
 */
export function startReconciler(
  ports: ReconcilerPorts,
  everyMs = EVERY_MS,
): { stop(): Promise<void> } {
  const looks = firstLooks();
  return startRounds(async () => {
    try {
      const next = await reconcile(ports, looks);
      // The next round is due when the next goal is, but many due goals share a round.
      return next === null ? false : Math.max(LEAST_PAUSE_MS, next);
    } catch (error) {
      ports.log.warn({ err: error }, 'reconcile failed');
      return false;
    }
  }, everyMs);
}

/**
 * One round. Every write is conditional on what was read, so that a slow round harms nothing.
 * @returns milliseconds after which there is something to do again; null = the usual pause
 */
export async function reconcile(ports: ReconcilerPorts, looks: Looks): Promise<number | null> {
  const { executions, store, schedules, log } = ports;
  let next: number | null = null;
  /** A row that can't be read keeps no other step from its turn. */
  async function step<Done>(does: string, act: () => Promise<Done>): Promise<Done | null> {
    try {
      return await act();
    } catch (error) {
      if (!isRowsFault(error)) throw error;
      log.warn({ err: error, does }, 'reconcile met a row that it cannot read');
      return null;
    }
  }
  await step('releases leases', () => releaseLeases(ports));
  await store.withReconcilerLock(async () => {
    await step('releases shares', () => store.releaseLeaked());
    const silent = await step('catches up', () => catchUp(schedules, log));
    next = await step('begins delegates', () => store.beginDue());
    await step('begins what follows', () => store.beginFollowing());
    for (const goal of await store.leftExecutions()) await step('renews', () => renew(ports, goal));
    for (const goal of await store.goalsToStart()) await step('starts', () => start(ports, goal));
    for (const goal of await store.archivedExecutions())
      await executions.end(goal, 'the goal was cleared or replaced');
    for (const goal of await store.nextInLine()) await executions.notifyWorkspaceFree(goal);
    for (const wakeup of await store.delegationWakeups()) await deliverWakeup(executions, wakeup);
    await step('looks around', () => lookAround(ports, looks));
    await step('keeps alarms', () => keepAlarms(schedules, silent ?? [], log));
    await step('charges', () => store.chargeStranded());
  });
  return next;
}

const LEFT: Readonly<Record<LeftExecution['why'], string>> = {
  // What Temporal has of it is readable by anybody there, and no worker believes it any more.
  unsealed: 'its history is not encrypted',
  moved: 'its workspace moved to another host',
};

async function renew(ports: ReconcilerPorts, goal: LeftExecution): Promise<void> {
  const { executions, store, log } = ports;
  const { goalId, epoch } = goal;
  await executions.end(goal, `${LEFT[goal.why]}: the goal goes on in a new execution`);
  await store.renew(goal);
  log.info({ goalId, epoch, why: LEFT[goal.why] }, 'goes on in a new execution');
}

/** One that was accepted may have been started on a queue that nobody here polls. */
async function start({ executions, queues }: ReconcilerPorts, goal: StartableGoal): Promise<void> {
  const found = await executions.describe(goal);
  if (isLeftElsewhere(queues, found)) await executions.end(goal, ELSEWHERE);
  await executions.start(goal);
}

const ELSEWHERE = "its queue is not this installation's: the goal goes on in a new execution";

/**
 * Its tasks lie on a queue that isn't this installation's, such as the one that all shared once. A
 * worker that is still there may end what it runs for it.
 */
const isLeftElsewhere = (
  { goals }: ReconcilerPorts['queues'],
  found: SeenExecution | null,
): found is SeenExecution =>
  found !== null && found.taskQueue !== goals && found.running.length === 0;

/** A death on the way leaves an execution that finds itself replaced, if anybody ever runs it. */
async function move({ executions, store, log }: ReconcilerPorts, goal: RunningGoal): Promise<void> {
  const { goalId, epoch } = goal;
  if (await store.renew(goal)) {
    await executions.start({ goalId, epoch: epoch + 1 });
    log.info({ goalId, epoch }, "goes on in an execution on this installation's queue");
  }
  await executions.end(goal, ELSEWHERE);
}

async function lookAround(ports: ReconcilerPorts, looks: Looks): Promise<void> {
  const goals = await ports.store.goalsRunning();
  const first = looks.next < goals.length ? looks.next : 0;
  const chosen = goals.slice(first, first + looks.size);
  looks.next = first + chosen.length;
  let isTrouble = false;
  const stuck = await ports.store.stuckRuns();
  const again = goals.filter((goal) => stuck.has(goal.goalId) && !chosen.includes(goal));
  for (const goal of [...chosen, ...again])
    isTrouble = (await mend(ports, goal, stuck.has(goal.goalId))) || isTrouble;
  looks.size = isTrouble ? LOOKS_IN_TROUBLE : LOOKS_A_ROUND;
}

/** @returns whether there was something to mend */
async function mend(
  ports: ReconcilerPorts,
  goal: RunningGoal,
  wasStuck: boolean,
): Promise<boolean> {
  const { executions, queues, store, log } = ports;
  const newest = await executions.describe(goal);
  const trouble = newest?.trouble ?? null;
  if (isLeftElsewhere(queues, newest)) {
    await move(ports, goal);
    return true;
  }
  if (!(await isGone(executions, goal, newest))) {
    if (trouble !== null) await store.noteStuck(goal, trouble);
    else if (wasStuck) await store.noteUnstuck(goal);
    if (trouble !== null && !wasStuck)
      log.warn(
        { goalId: goal.goalId, epoch: goal.epoch, ...trouble },
        'tasks fail again and again',
      );
    return false;
  }
  const isMarked = await store.markLost(goal);
  if (isMarked) log.warn({ goalId: goal.goalId, epoch: goal.epoch }, 'execution lost');
  return true;
}

/** Runs on the workspace's host, because only there can the last holder's processes be ended. */
async function releaseLeases(ports: ReconcilerPorts): Promise<void> {
  const { store, host, endHelper, log } = ports;
  for (const lease of await store.staleLeases(host)) {
    if (lease.helper !== null) await endHelper(lease.helper);
    const { kind, id } = lease.holder;
    const commitId = kind === 'check' ? commitOfLease(id) : null;
    try {
      if (commitId !== null) await ports.finishApply(commitId);
    } catch (error) {
      // Nobody works on what is half done: the workspace stays taken until it is ended.
      const { workspace } = lease;
      log.warn({ err: error, workspace, commitId }, 'a branch that was begun could not be applied');
      continue;
    }
    await store.releaseLease(lease);
  }
}

/** Only Temporal's answer counts, so nothing is given up while it is away. */
async function isGone(
  executions: ExecutionsPort,
  goal: RunningGoal,
  newest: SeenExecution | null,
): Promise<boolean> {
  if (newest?.status !== 'RUNNING') return true;
  return newest.runId !== goal.runId && (await wasReset(executions, goal));
}

/** The newest run isn't the writer: either it continues the writer and is about to take over, or it was reset. */
async function wasReset(executions: ExecutionsPort, goal: RunningGoal): Promise<boolean> {
  const writer = await executions.describe(goal, goal.runId);
  return writer?.status !== 'CONTINUED_AS_NEW' && writer?.status !== 'RUNNING';
}
