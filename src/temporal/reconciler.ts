import type { Logger } from 'pino';
import type { ReconcileStore, RunningGoal } from '../db/reconcile.ts';
import { startRounds } from '../rounds.ts';
import type { ProcessIdentity } from '../turn/ports.ts';
import type { ExecutionsPort } from './executions.ts';
import { answerBell } from './family-doorbell.ts';

const EVERY_MS = 5000;
const LEAST_PAUSE_MS = 250;

export interface ReconcilerPorts {
  readonly executions: ExecutionsPort;
  readonly store: ReconcileStore;
  readonly log: Logger;
  readonly host: string;
  readonly endHelper: (helper: ProcessIdentity) => Promise<void>;
}

/** Executions looked at in one round; the next round goes on behind them. */
const LOOKS_A_ROUND = 200;

/**
 * Finishes what crashes left between Postgres and Temporal: starts goals that were accepted,
 * ends executions of replaced goals, and gives up executions that Temporal lost. Runs in every
 * worker; an advisory lock lets one of them work.
 */
export function startReconciler(
  ports: ReconcilerPorts,
  everyMs = EVERY_MS,
): { stop(): Promise<void> } {
  let round = 0;
  return startRounds(async () => {
    try {
      const next = await reconcile(ports, round++);
      // Due to the second, but not a round for each of many.
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
export async function reconcile(ports: ReconcilerPorts, round = 0): Promise<number | null> {
  const { executions, store } = ports;
  let next: number | null = null;
  await releaseLeases(ports);
  await store.withReconcilerLock(async () => {
    await store.releaseLeaked();
    next = await store.beginDue();
    for (const goal of await store.goalsToStart()) await executions.start(goal);
    for (const goal of await store.archivedExecutions())
      await executions.end(goal, 'the goal was cleared or replaced');
    for (const goal of await store.nextInLine()) await executions.ringWorkspaceFree(goal);
    for (const bell of await store.familyBells()) await answerBell(executions, bell);
    for (const goal of nextLooks(await store.goalsRunning(), round))
      await giveUpIfGone(ports, goal);
    await store.chargeStranded();
  });
  return next;
}

function nextLooks(goals: readonly RunningGoal[], round: number): readonly RunningGoal[] {
  const rounds = Math.max(1, Math.ceil(goals.length / LOOKS_A_ROUND));
  const first = (round % rounds) * LOOKS_A_ROUND;
  return goals.slice(first, first + LOOKS_A_ROUND);
}

async function giveUpIfGone(
  { executions, store, log }: ReconcilerPorts,
  goal: RunningGoal,
): Promise<void> {
  if (!(await isGone(executions, goal))) return;
  const isMarked = await store.markLost(goal);
  if (isMarked)
    log.warn({ goalId: goal.goalId, epoch: goal.epoch }, 'execution lost: paused for recovery');
}

/** On the host of the workspace, because only there can the last holder's processes be ended. */
async function releaseLeases({ store, host, endHelper }: ReconcilerPorts): Promise<void> {
  for (const lease of await store.staleLeases(host)) {
    if (lease.helper !== null) await endHelper(lease.helper);
    await store.releaseLease(lease);
  }
}

/** Only an answer by Temporal counts: while it is away, nothing is given up. */
async function isGone(executions: ExecutionsPort, goal: RunningGoal): Promise<boolean> {
  const newest = await executions.describe(goal);
  if (newest?.status !== 'RUNNING') return true;
  return newest.runId !== goal.runId && (await wasReset(executions, goal));
}

/** The newest run isn't the writer: either it continues the writer and is about to take over, or it was reset. */
async function wasReset(executions: ExecutionsPort, goal: RunningGoal): Promise<boolean> {
  const writer = await executions.describe(goal, goal.runId);
  return writer?.status !== 'CONTINUED_AS_NEW' && writer?.status !== 'RUNNING';
}
