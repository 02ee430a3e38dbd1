import type { GoalEpoch } from '../contract/histories.ts';
import type { ReconcileStore } from '../store/record/reconcile.ts';
import type { ExecutionsPort } from './executions.ts';

/** Finds a dead worker's attempts in the record. */
export type HeldGoals = Pick<ReconcileStore, 'heldBy'>;

/**
 * Fails what a dead worker was running, so that its retry starts at once instead of after the
 * heartbeat timeout. An activity that ended meanwhile, or runs elsewhere, is left alone.
 */
export async function handOver(
  executions: ExecutionsPort,
  held: HeldGoals,
  workerId: string,
): Promise<number> {
  const goals = await held.heldBy(workerId);
  const handed = await Promise.all(goals.map((goal) => failActivities(executions, goal, workerId)));
  return handed.reduce((sum, count) => sum + count, 0);
}

async function failActivities(
  executions: ExecutionsPort,
  goal: GoalEpoch,
  workerId: string,
): Promise<number> {
  await executions.forgetCache(goal);
  const running = (await executions.describe(goal))?.running ?? [];
  const orphaned = running.filter((activity) => activity.workerId === workerId);
  for (const { activityId } of orphaned) {
    await executions.failActivity(goal, activityId, 'the worker died');
  }
  return orphaned.length;
}
