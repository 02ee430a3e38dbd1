import { Superseded } from '../contract/failures.ts';
import type { Transaction } from './client.ts';
import { storable } from './json.ts';

/** The first result of a commit id; null when it is new. The goal must be locked. */
export async function readCommit<Result>(
  tx: Transaction,
  goalId: string,
  commitId: string,
): Promise<Result | null> {
  const [commit] = await tx<{ result: Result }[]>`
    SELECT result FROM commit WHERE goal_id = ${goalId} AND commit_id = ${commitId}`;
  return commit?.result ?? null;
}

export async function storeCommit(
  tx: Transaction,
  goal: { goalId: string; revision: number },
  commitId: string,
  result: unknown,
): Promise<void> {
  await tx`
    INSERT INTO commit (goal_id, commit_id, revision, result)
    VALUES (${goal.goalId}, ${commitId}, ${goal.revision}, ${tx.json(storable(result))})`;
}

/** @throws Superseded when the row moved past what the workflow had in memory */
export function assertRevision(
  state: { goalId: string; revision: number },
  expected: number,
): void {
  if (state.revision === expected) return;
  throw new Superseded(`${state.goalId}: revision ${expected} was expected, not ${state.revision}`);
}
