import type { Database, Executor, Transaction } from '../client.ts';
import type { Row } from '../row.ts';

/** A goal that is next in line for its workspace. */
export interface NextInLine {
  readonly goalId: string;
  readonly epoch: number;
}

/** A goal in the line for a workspace. */
export interface Waiting {
  readonly goalId: string;
  readonly priority: number;
}

/** Neither a goal nor a check holds the workspace. */
export const isFree = (sql: Executor) => sql`lease_goal_id IS NULL AND lease_check_id IS NULL`;

/**
 * The lease of a workspace and the queue before it. A goal that finds it taken draws a ticket; the
 * lowest ticket of the highest priority goes first, also where the workspace just became free and somebody else asks. A
 * ticket ends with the lease, or when its goal takes no more steps. The caller holds the goal's
 * row or its journal: workspaces are locked last.
 */
export async function takeLease(
  tx: Transaction,
  goal: { readonly goalId: string; readonly epoch: number },
  workspace: string,
): Promise<boolean> {
  const { goalId, epoch } = goal;
  const [row] = await tx<{ holder: string | null }[]>`
    SELECT coalesce(lease_goal_id, lease_check_id) AS holder FROM workspace WHERE name = ${workspace} FOR UPDATE`;
  const isMine = row?.holder === goalId;
  if (!isMine && (row?.holder != null || !(await isFirst(tx, goalId, workspace)))) {
    await tx`
      INSERT INTO workspace_queue (workspace, goal_id) VALUES (${workspace}, ${goalId})
      ON CONFLICT (goal_id) DO NOTHING`;
    return false;
  }
  await tx`
    UPDATE workspace SET lease_goal_id = ${goalId}, lease_epoch = ${epoch},
      leased_at = CASE WHEN lease_goal_id = ${goalId} THEN leased_at ELSE now() END
    WHERE name = ${workspace}`;
  await leaveQueue(tx, goalId);
  return true;
}

async function isFirst(tx: Transaction, goalId: string, workspace: string): Promise<boolean> {
  const [first] = await tx<Row<'workspace_queue', 'goal_id'>[]>`
    SELECT q.goal_id FROM workspace_queue q JOIN goal g USING (goal_id)
    WHERE q.workspace = ${workspace} ORDER BY g.priority DESC, q.ticket LIMIT 1`;
  return first === undefined || first.goal_id === goalId;
}

/**
 * Counts a waiting goal's poll as a write: its writes in the workspace are unknown, so all earlier
 * evidence counts as stale.
 */
export async function countLentAsWritten(
  tx: Transaction,
  goalId: string,
  workspace: string,
): Promise<void> {
  await tx`
    WITH lent AS (
      UPDATE workspace SET write_seq = write_seq + 1
      WHERE name = ${workspace} AND lease_goal_id = ${goalId} RETURNING name)
    ${countOwnWrite(tx, goalId)} AND EXISTS (SELECT 1 FROM lent)`;
}

/**
 * Adds the goal's own write, such as that of a concurrent poll, to the pending rewind's counter, so
 * that it doesn't count as a write of others.
 */
export const countOwnWrite = (sql: Executor, goalId: string) => sql`
  UPDATE rewind SET write_seq = write_seq + 1 WHERE goal_id = ${goalId} AND state = 'begun'`;

/** True while a rewind is pending; the goal keeps the workspace until it is carried out. */
export const isRewinding = (sql: Executor, goalId: string) => sql`
  EXISTS (SELECT 1 FROM rewind WHERE goal_id = ${goalId} AND state = 'begun')`;

/** Goals that wait for each workspace, in the order in which they go. */
export async function readQueues(sql: Executor): Promise<ReadonlyMap<string, Waiting[]>> {
  const rows = await sql<(Waiting & { workspace: string })[]>`
    SELECT q.workspace, q.goal_id AS "goalId", g.priority
    FROM workspace_queue q JOIN goal g USING (goal_id)
    ORDER BY q.workspace, g.priority DESC, q.ticket`;
  const queues = new Map<string, Waiting[]>();
  for (const { workspace, ...waiting } of rows)
    queues.set(workspace, [...(queues.get(workspace) ?? []), waiting]);
  return queues;
}

export async function leaveQueue(tx: Transaction, goalId: string): Promise<void> {
  await tx`DELETE FROM workspace_queue WHERE goal_id = ${goalId}`;
}

/** Goals next in line for every free workspace, or for the one that a goal uses. */
export async function nextInLine(sql: Executor, ofGoalId?: string): Promise<NextInLine[]> {
  return sql<NextInLine[]>`
    SELECT DISTINCT ON (q.workspace) q.goal_id AS "goalId", g.epoch
    FROM workspace_queue q
    JOIN workspace w ON w.name = q.workspace
    JOIN goal g ON g.goal_id = q.goal_id
    WHERE ${isFree(sql)} ${
      ofGoalId === undefined
        ? sql``
        : sql`AND w.name = (SELECT workspace_name FROM goal WHERE goal_id = ${ofGoalId})`
    }
    ORDER BY q.workspace, g.priority DESC, q.ticket`;
}

export type NotifyNext = (next: NextInLine) => void;

/**
 * Notifies the goals that are next in line after a goal released its workspace. The reconciler
 * repeats a lost notification.
 */
export async function notifyNext(db: Database, goalId: string, notify: NotifyNext): Promise<void> {
  const next = await nextInLine(db, goalId).catch(() => []);
  for (const one of next) notify(one);
}
