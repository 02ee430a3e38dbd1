import type { Goal, GoalStatus } from '../../../schema/goal.ts';
import { type GoalCounts, type GoalGroup, goalGroupSchema } from '../../../schema/goal-counts.ts';
import type { GoalFilter, Page } from '../../contract/reads.ts';
import type { Sight } from '../../contract/sight.ts';
import type { Database } from '../client.ts';
import { decodeCursor, pageOf } from '../cursor.ts';
import { joinDelegated } from '../delegates/delegate-usage.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import type { Row } from '../row.ts';
import { type GoalRow, selectGoal, toGoal } from './goal-row.ts';
import { inSight } from './in-sight.ts';
import { shownActor, shownSince } from './unserved.ts';
import { likeWords } from './words.ts';

interface ListedRow extends GoalRow {
  readonly group_rank: number;
  readonly sort_key: string;
}

/** The page's ids come first, from the narrow rows; only these goals are read whole. */
export async function listGoals(
  db: Database,
  keys: LedgerKeys,
  filter: GoalFilter,
): Promise<Page<Goal>> {
  const direction = isAscending(filter) ? db`ASC` : db`DESC`;
  const rows = await db<ListedRow[]>`
    WITH listed AS (
      SELECT g.goal_id, ${rankOf(db, filter)} AS group_rank, ${keyOf(db, filter)} AS sort_key
      FROM goal g ${usageFor(db, filter)} WHERE true ${matching(db, filter)}
    ), page AS (
      SELECT * FROM listed WHERE true ${behind(db, filter)}
      ORDER BY group_rank, sort_key ${direction}, goal_id LIMIT ${filter.limit + 1}
    )
    ${selectGoal(db, db`page.group_rank, page.sort_key::text,`)}
    JOIN page ON page.goal_id = g.goal_id
    ORDER BY page.group_rank, page.sort_key ${direction}, g.goal_id`;
  return pageOf(
    rows,
    filter.limit,
    (row) => toGoal(keys, row),
    (row) => [row.group_rank, row.sort_key, row.goal_id],
  );
}

const isAscending = ({ sort }: GoalFilter): boolean => sort === 'oldest' || sort === 'waiting';

/** The order of {@link GoalGroup}. */
const groupOf = (db: Database) => db`
  CASE WHEN g.status = 'complete' OR g.archived_at IS NOT NULL THEN 4
    ELSE CASE ${shownActor(db)}
      WHEN 'You' THEN 0 WHEN 'Agent' THEN 1 WHEN 'Team' THEN 3 ELSE 2 END END`;

const rankOf = (db: Database, { group }: GoalFilter) => (group === 'actor' ? groupOf(db) : db`0`);

function keyOf(db: Database, { sort }: GoalFilter) {
  switch (sort) {
    case 'newest':
    case 'oldest':
      return db`g.created_at`;
    case 'updated':
      return db`g.updated_at`;
    case 'waiting':
      return shownSince(db);
    case 'cost':
      return db`(j.cost_usd + d.d_cost_usd::numeric)`;
    case 'limit':
      return db`round(greatest(
        (j.input_tokens - j.cached_input_tokens + j.output_tokens + d.d_input_tokens
          - d.d_cached_input_tokens + d.d_output_tokens) / nullif((g.budget->>'tokens')::numeric, 0),
        (j.cost_usd + d.d_cost_usd::numeric) / nullif((g.budget->>'costUsd')::numeric, 0),
        (j.turns + d.d_turns) / nullif((g.budget->>'turns')::numeric, 0),
        (j.active_ms + d.d_active_ms) / 1000 / nullif((g.budget->>'activeSeconds')::numeric, 0),
        0), 6)`;
  }
}

function usageFor(db: Database, { sort }: GoalFilter) {
  if (sort !== 'cost' && sort !== 'limit') return db``;
  return db`JOIN journal j ON j.goal_id = g.goal_id ${joinDelegated(db)}`;
}

function behind(db: Database, filter: GoalFilter) {
  const isAmount = filter.sort === 'cost' || filter.sort === 'limit';
  const position = decodeCursor(filter.cursor, ['number', isAmount ? 'amount' : 'time', 'text']);
  if (position === null) return db``;
  const [group, key, goalId] = position;
  const type = isAmount ? db`numeric` : db`timestamptz`;
  const after = isAscending(filter) ? db`>` : db`<`;
  return db`AND (group_rank > ${group}::int OR (group_rank = ${group}::int AND (
    sort_key ${after} ${key}::text::${type}
    OR (sort_key = ${key}::text::${type} AND goal_id > ${goalId}))))`;
}

/** The database reads fewer offsets and years than RFC 3339 has. */
const atTime = (db: Database, at: string) => db`to_timestamp(${Date.parse(at) / 1000}::float8)`;

function matching(db: Database, filter: GoalFilter) {
  const { status, actor, q, workspace, model, reason, since, archived, goalIds } = filter;
  const words = q === undefined ? null : likeWords(q);
  return db`
    AND ${inSight(db, filter.sight)}
    ${archived ? db`` : db`AND g.archived_at IS NULL`}
    ${status === undefined ? db`` : db`AND g.status IN ${db([...status])}`}
    ${actor === undefined ? db`` : db`AND g.status <> 'complete' AND ${shownActor(db)} IN ${db([...actor])}`}
    ${workspace === undefined ? db`` : db`AND g.workspace_name = ${workspace}`}
    ${model === undefined ? db`` : db`AND g.model = ${model}`}
    ${reason === undefined ? db`` : db`AND g.status = 'paused' AND g.pause->>'reason' IN ${db([...reason])}`}
    ${since === undefined ? db`` : db`AND g.created_at >= ${atTime(db, since)}`}
    ${goalIds === undefined ? db`` : db`AND g.goal_id IN ${db([...goalIds])}`}
    ${
      words === null
        ? db``
        : db`AND (g.objective ILIKE ${words} OR g.goal_id ILIKE ${words}
          OR g.workspace_name ILIKE ${words})`
    }`;
}

type CountRow = Row<'goal', 'status'> & {
  readonly group_rank: number;
  readonly goals: number;
};

export async function countGoals(db: Database, sight: Sight): Promise<GoalCounts> {
  const rows = await db<CountRow[]>`
    SELECT g.status, ${groupOf(db)} AS group_rank, count(*)::int AS goals
    FROM goal g WHERE g.archived_at IS NULL AND ${inSight(db, sight)} GROUP BY 1, 2`;
  const sum = (isCounted: (row: CountRow) => boolean) =>
    rows.filter(isCounted).reduce((total, { goals }) => total + goals, 0);
  const ofStatus = (status: GoalStatus) => sum((row) => row.status === status);
  const ofGroup = (group: GoalGroup) =>
    sum((row) => goalGroupSchema.options[row.group_rank] === group);
  return {
    total: sum(() => true),
    statuses: {
      active: ofStatus('active'),
      paused: ofStatus('paused'),
      budget_limited: ofStatus('budget_limited'),
      complete: ofStatus('complete'),
    },
    groups: {
      you: ofGroup('you'),
      agent: ofGroup('agent'),
      waiting: ofGroup('waiting'),
      team: ofGroup('team'),
      complete: ofGroup('complete'),
    },
  };
}
