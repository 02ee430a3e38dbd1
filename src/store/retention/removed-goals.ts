import type {
  GoalAtRest,
  RemovedGoalsPort,
  StayingGoals,
  WrittenArchive,
} from '../../contract/removed-goals.ts';
import type { GoalRetention } from '../../contract/service-rules.ts';
import { type Database, type Transaction, withTypedErrors } from '../client.ts';
import { withHeldLock } from '../held-lock.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { GOAL_REMOVED } from '../ledger/removals.ts';
import { appendToSecurityLog } from '../ledger/security-entries.ts';
import { isSealedAsOver, readState } from '../ledger/state-seal.ts';

const LOCK = 'goalkeeper removes goals';
const AT_ONCE = 50;
/** Of the goals that stay for one reason. */
const TOLD = 20;

/** A setting of the database that `why_goal_stays` looks at. */
const ANCHORS = 'goalkeeper.anchors';

/**
 * Takes whole goals out, by a function of the database's: the writer's user may take none of their
 * rows out. Which goals stay, and why, the database says as well (`why_goal_stays`), so that nothing
 * is archived that is not removed.
 *
 * @param places those that keep heads: no goal goes before each of them has its own
 */
export function createRemovedGoals(
  db: Database,
  keys: LedgerKeys,
  places: readonly string[],
): RemovedGoalsPort {
  const anchored = async (tx: Transaction) => {
    const named = places.length === 0 ? 'off' : JSON.stringify(places);
    await tx`SELECT set_config(${ANCHORS}, ${named}, true)`;
  };
  const looking = <Rows>(look: (tx: Transaction) => Promise<Rows>): Promise<Rows> =>
    db.begin('read only', async (tx) => {
      await anchored(tx);
      return await look(tx);
    }) as Promise<Rows>;
  return withTypedErrors<RemovedGoalsPort>({
    withLock: (work) =>
      withHeldLock(db, LOCK, async (tx) => {
        await anchored(tx);
        await work((goal, archive) => removeGoal(tx, keys, goal, archive));
      }),

    due: (kept, after) => looking((tx) => dueGoals(tx, kept, after)),
    staying: (kept) => looking((tx) => stayingGoals(tx, kept)),

    async emptyRequests() {
      const { count } = await db`
        UPDATE request r SET body = '{}', answer = NULL, http_status = 410,
          answered_at = coalesce(r.answered_at, now())
        FROM removed_goal g WHERE r.goal_id = g.goal_id
          AND (r.http_status IS DISTINCT FROM 410 OR r.answer IS NOT NULL OR r.body <> '{}')`;
      return count;
    },
  });
}

/** Goals `g` that are over and old enough, for `o.days` by `o.status`. */
const oldGoals = (tx: Transaction, { complete, cleared }: GoalRetention) => tx`
  FROM goal g JOIN journal j ON j.goal_id = g.goal_id
  CROSS JOIN LATERAL (SELECT
    CASE g.status WHEN 'complete' THEN 'complete' ELSE 'cleared' END AS status,
    CASE g.status WHEN 'complete' THEN ${complete}::int ELSE ${cleared}::int END AS days) o
  WHERE (g.status = 'complete' OR g.archived_at IS NOT NULL) AND o.days IS NOT NULL
    AND greatest(g.updated_at, g.archived_at) < now() - make_interval(days => o.days)
    AND goal_stands_since(g.goal_id) < now() - make_interval(days => o.days)`;

const dueGoals = (
  tx: Transaction,
  kept: GoalRetention,
  after: Pick<GoalAtRest, 'goalId' | 'createdAt'> | null,
) => tx<GoalAtRest[]>`
  SELECT g.goal_id AS "goalId", o.status, o.days, g.created_at AS "createdAt", g.revision,
    j.turn AS turns, j.event_seq AS events, j.ledger_seq AS "ledgerSeq",
    j.ledger_head AS "ledgerHead", j.seals, j.seal_head AS "sealHead"
  ${oldGoals(tx, kept)}
    AND ${
      after === null
        ? tx`true`
        : tx`(g.created_at, g.goal_id) > (${after.createdAt}, ${after.goalId})`
    }
    AND why_goal_stays(g.goal_id, o.days) IS NULL
  ORDER BY g.created_at, g.goal_id LIMIT ${AT_ONCE}`;

const stayingGoals = (tx: Transaction, kept: GoalRetention) => tx<StayingGoals[]>`
  SELECT old.why, count(*)::int AS goals,
    to_jsonb((array_agg(old.goal_id ORDER BY old.created_at, old.goal_id))[1:${TOLD}::int])
      AS "goalIds"
  FROM (
    SELECT g.goal_id, g.created_at, why_goal_stays(g.goal_id, o.days) AS why ${oldGoals(tx, kept)}
  ) old WHERE old.why IS NOT NULL GROUP BY old.why ORDER BY old.why`;

async function removeGoal(
  tx: Transaction,
  keys: LedgerKeys,
  goal: GoalAtRest,
  archive: WrittenArchive,
): Promise<string | null> {
  const { goalId, status, days, revision, events } = goal;
  const { ledgerSeq, ledgerHead, seals, sealHead } = goal;
  // Its row alone, which whoever has this user writes, does not end a goal.
  const state = await readState(tx, goalId);
  if (state !== null && !isSealedAsOver(keys, state))
    return 'what was sealed does not say that it is over';
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
