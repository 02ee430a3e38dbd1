import type { GoalState } from '../../contract/goal-state.ts';
import type { StoredRun } from '../../contract/reads.ts';
import { productVersion } from '../../version.ts';
import type { Transaction } from '../client.ts';
import { type PrismaClient, timeOf } from '../store.ts';

/** The goal is locked; a run that opens it twice is one run. */
export async function storeRun(
  tx: Transaction,
  { goalId, epoch, turn, isTurnOpen }: GoalState,
  runId: string,
): Promise<void> {
  await tx`
    INSERT INTO run (goal_id, number, epoch, run_id, first_turn, is_sealed, version, host)
    SELECT ${goalId}, coalesce(max(number), 0) + 1, ${epoch}::int, ${runId},
      ${isTurnOpen ? turn : turn + 1}::int, true, ${productVersion()},
      (SELECT w.host FROM goal g JOIN workspace w ON w.name = g.workspace_name
        WHERE g.goal_id = ${goalId})
    FROM run WHERE goal_id = ${goalId}
    ON CONFLICT (goal_id, run_id) DO NOTHING`;
}

/** Oldest first. */
export async function readRuns({ run }: PrismaClient, goalId: string): Promise<StoredRun[]> {
  const rows = await run.findMany({
    where: { goalId },
    select: { number: true, epoch: true, runId: true, firstTurn: true, openedAt: true },
    orderBy: { number: 'asc' },
  });
  return rows.map((row) => ({ ...row, openedAt: timeOf(row.openedAt) }));
}
