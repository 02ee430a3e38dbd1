import type { GoalAtRest, RemovedGoalsPort, WrittenArchive } from '../../contract/removed-goals.ts';
import { type Database, type Transaction, withTypedErrors } from '../client.ts';
import { withHeldLock } from '../held-lock.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { GOAL_REMOVED } from '../ledger/removals.ts';
import { appendToSecurityLog } from '../ledger/security-entries.ts';

const LOCK = 'goalkeeper removes goals';
const AT_ONCE = 50;

/**
 * Takes whole goals out, by a function of the database's: the writer's user may take none of their
 * rows out. Which goals stay, and why, the database says as well (`why_goal_stays`), so that nothing
 * is archived that is not removed.
 */
export const createRemovedGoals = (db: Database, keys: LedgerKeys): RemovedGoalsPort =>
  withTypedErrors<RemovedGoalsPort>({
    withLock: (work) =>
      withHeldLock(db, LOCK, (tx) => work((goal, archive) => removeGoal(tx, keys, goal, archive))),

    due: ({ complete, cleared }, after) => db<GoalAtRest[]>`
      SELECT g.goal_id AS "goalId", o.status, o.days, g.created_at AS "createdAt", g.revision,
        j.turn AS turns, j.event_seq AS events, j.ledger_seq AS "ledgerSeq",
        j.ledger_head AS "ledgerHead", j.seals, j.seal_head AS "sealHead"
      FROM goal g JOIN journal j ON j.goal_id = g.goal_id
      CROSS JOIN LATERAL (SELECT
        CASE g.status WHEN 'complete' THEN 'complete' ELSE 'cleared' END AS status,
        CASE g.status WHEN 'complete' THEN ${complete}::int ELSE ${cleared}::int END AS days) o
      WHERE (g.status = 'complete' OR g.archived_at IS NOT NULL) AND o.days IS NOT NULL
        AND greatest(g.updated_at, g.archived_at) < now() - make_interval(days => o.days)
        AND ${
          after === null
            ? db`true`
            : db`(g.created_at, g.goal_id) > (${after.createdAt}, ${after.goalId})`
        }
        AND why_goal_stays(g.goal_id, o.days) IS NULL
      ORDER BY g.created_at, g.goal_id LIMIT ${AT_ONCE}`,
  });

async function removeGoal(
  tx: Transaction,
  keys: LedgerKeys,
  goal: GoalAtRest,
  archive: WrittenArchive,
): Promise<string | null> {
  const { goalId, status, days, revision, events } = goal;
  const { ledgerSeq, ledgerHead, seals, sealHead } = goal;
  const [{ why }] = await tx<[{ why: string | null }]>`
    SELECT remove_goal(${goalId}, ${days}, ${revision}, ${ledgerSeq}, ${events}, ${seals}) AS why`;
  if (why !== null) return why;
  await appendToSecurityLog(tx, keys, {
    ...{ who: null, role: null, address: null, what: GOAL_REMOVED, subject: goalId },
    result: 'done',
    data: {
      ...{ status, days, archive: { ...archive } },
      head: { seq: ledgerSeq, head: ledgerHead, seals, sealHead },
    },
  });
  return null;
}
