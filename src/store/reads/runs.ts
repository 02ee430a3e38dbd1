import type { GoalState } from '../../contract/goal-state.ts';
import type { StoredRun } from '../../contract/reads.ts';
import type { Database, Transaction } from '../client.ts';

/** The goal is locked; a run that opens it twice is one run. */
export async function storeRun(
  tx: Transaction,
  { goalId, epoch, turn, isTurnOpen }: GoalState,
  runId: string,
): Promise<void> {
  await tx`
    INSERT INTO run (goal_id, number, epoch, run_id, first_turn)
    SELECT ${goalId}, coalesce(max(number), 0) + 1, ${epoch}::int, ${runId},
      ${isTurnOpen ? turn : turn + 1}::int
    FROM run WHERE goal_id = ${goalId}
    ON CONFLICT (goal_id, run_id) DO NOTHING`;
}

/** Oldest first. */
export async function readRuns(db: Database, goalId: string): Promise<StoredRun[]> {
  return db<StoredRun[]>`
    SELECT number, epoch, run_id AS "runId", first_turn AS "firstTurn", opened_at AS "openedAt"
    FROM run WHERE goal_id = ${goalId} ORDER BY number`;
}
