import type { Database, Executor, Transaction } from '../client.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import { isWritten, type Written, type WrittenTable } from './written-seal.ts';

/** Rows of a goal that are added in the order of a number, and what they are called. */
const GOAL_ROWS = {
  message: { name: 'conversation', isGapless: true },
  compaction: { name: 'conversation', isGapless: false },
  inbox: { name: 'inbox', isGapless: false },
  todo_list: { name: 'todos', isGapless: true },
  requirement_list: { name: 'requirements', isGapless: true },
  plan: { name: 'plan', isGapless: true },
  goal_attachment: { name: 'files', isGapless: false },
} as const;

type GoalTable = keyof typeof GOAL_ROWS;

const TABLES = Object.keys(GOAL_ROWS) as GoalTable[];

export type AlteredRows = (typeof GOAL_ROWS)[GoalTable]['name'];

/** How far the rows of a table were looked at, and how many these are. */
interface Seen {
  readonly through: number;
  readonly count: number;
}

type SeenRows = Readonly<Record<GoalTable, Seen>>;

const nothing = (): Record<GoalTable, Seen> => {
  const none = { through: 0, count: 0 };
  return Object.fromEntries(TABLES.map((table) => [table, none])) as Record<GoalTable, Seen>;
};

interface FoundRow {
  readonly table: GoalTable;
  readonly number: number;
  readonly row: Written<GoalTable> & { readonly seal: string | null };
}

const AT_ONCE = 1000;

/** All rows beyond what was seen, at one moment. */
const rowsBeyond = (sql: Executor, goalId: string, seen: SeenRows) => sql<FoundRow[]>`
  SELECT 'message' AS "table", m.seq::bigint AS number, to_jsonb(m) AS row FROM message m
    WHERE m.goal_id = ${goalId} AND m.seq > ${seen.message.through}
  UNION ALL SELECT 'compaction', c.number, to_jsonb(c) FROM compaction c
    WHERE c.goal_id = ${goalId} AND c.number > ${seen.compaction.through}
  UNION ALL SELECT 'inbox', i.seq, to_jsonb(i) FROM inbox i
    WHERE i.goal_id = ${goalId} AND i.seq > ${seen.inbox.through}
  UNION ALL SELECT 'todo_list', t.revision, to_jsonb(t) FROM todo_list t
    WHERE t.goal_id = ${goalId} AND t.revision > ${seen.todo_list.through}
  UNION ALL SELECT 'requirement_list', r.revision, to_jsonb(r) FROM requirement_list r
    WHERE r.goal_id = ${goalId} AND r.revision > ${seen.requirement_list.through}
  UNION ALL SELECT 'plan', p.revision, to_jsonb(p) FROM plan p
    WHERE p.goal_id = ${goalId} AND p.revision > ${seen.plan.through}
  UNION ALL SELECT 'goal_attachment', a.number, to_jsonb(a) FROM goal_attachment a
    WHERE a.goal_id = ${goalId} AND a.number > ${seen.goal_attachment.through}
  ORDER BY 1, 2`;

/** A transaction that was held open may add a row below those that were seen. */
const countsOfSeen = (sql: Executor, goalId: string, seen: SeenRows) => sql<
  [{ readonly compaction: number; readonly inbox: number; readonly goal_attachment: number }]
>`
  SELECT
    (SELECT count(*)::int FROM compaction
      WHERE goal_id = ${goalId} AND number <= ${seen.compaction.through}) AS compaction,
    (SELECT count(*)::int FROM inbox
      WHERE goal_id = ${goalId} AND seq <= ${seen.inbox.through}) AS inbox,
    (SELECT count(*)::int FROM goal_attachment
      WHERE goal_id = ${goalId} AND number <= ${seen.goal_attachment.through})
      AS goal_attachment`;

export interface ForeignRow {
  readonly table: WrittenTable;
  /** Its number or name. */
  readonly name: string;
  readonly isSealed: boolean;
}

interface Looked {
  readonly altered: readonly (ForeignRow & { readonly table: GoalTable })[];
  readonly seen: SeenRows;
}

async function lookBeyond(
  sql: Executor,
  keys: LedgerKeys,
  goalId: string,
  before: SeenRows,
): Promise<Looked> {
  const seen: Record<GoalTable, Seen> = { ...before };
  const altered: (ForeignRow & { table: GoalTable })[] = [];
  await rowsBeyond(sql, goalId, before).cursor(AT_ONCE, (rows) => {
    for (const { table, number, row } of rows) {
      const { through, count } = seen[table];
      const isNext = !GOAL_ROWS[table].isGapless || number === through + 1;
      if (!isNext || !isWritten(keys, table, row))
        altered.push({ table, name: String(number), isSealed: row.seal !== null });
      seen[table] = { through: number, count: count + 1 };
    }
  });
  return { altered, seen };
}

/** Which of a goal's rows the service did not write. */
export type WrittenWatch = (goalId: string) => Promise<readonly AlteredRows[]>;

/** A mark takes some hundred bytes; the cap bounds a worker's memory over months. */
const MOST_GOALS = 10_000;

/**
 * Conversation, to-do list, requirements, plan, files and inbox of a goal count only as the service
 * wrote them. Goals are looked at before each turn, gate and wait; each row is compared once by a
 * process, as none ever changes.
 */
export function createWrittenWatch(db: Database, keys: LedgerKeys): WrittenWatch {
  const known = new Map<string, SeenRows>();
  return async (goalId) => {
    if (keys.sealing === null) return [];
    const before = known.get(goalId) ?? nothing();
    const [beyond, [counts]] = await Promise.all([
      lookBeyond(db, keys, goalId, before),
      countsOfSeen(db, goalId, before),
    ]);
    const isLate = (['compaction', 'inbox', 'goal_attachment'] as const).some(
      (table) => counts[table] !== before[table].count,
    );
    // A row of the service's own may come late, too: its seal says so.
    const { altered, seen } = isLate ? await lookBeyond(db, keys, goalId, nothing()) : beyond;
    if (altered.length > 0) return [...new Set(altered.map(({ table }) => GOAL_ROWS[table].name))];
    if (known.size >= MOST_GOALS) known.clear();
    known.set(goalId, seen);
    return [];
  };
}

/** The first row of a goal that the service did not write; null = it wrote all of them. */
export async function findForeignRow(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
): Promise<ForeignRow | null> {
  if (keys.sealing === null) return null;
  const { altered } = await lookBeyond(tx, keys, goalId, nothing());
  return altered[0] ?? (await findForeignNamed(tx, keys, goalId));
}

type Named = 'checkpoint' | 'notification' | 'approval' | 'question' | 'rewind';

interface NamedRow {
  readonly table: Named;
  readonly name: string;
  readonly row: Written<Named> & { readonly seal: string | null };
}

/** These are compared when they are used, too. */
async function findForeignNamed(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
): Promise<ForeignRow | null> {
  const rows = await tx<NamedRow[]>`
    SELECT 'checkpoint' AS "table", c.name, to_jsonb(c) AS row FROM checkpoint c
      WHERE c.goal_id = ${goalId}
    UNION ALL SELECT 'notification', n.notification_id, to_jsonb(n) FROM notification n
      WHERE n.goal_id = ${goalId}
    UNION ALL SELECT 'approval', a.approval_id, to_jsonb(a) FROM approval a
      WHERE a.goal_id = ${goalId}
    UNION ALL SELECT 'question', q.question_id, to_jsonb(q) FROM question q
      WHERE q.goal_id = ${goalId}
    UNION ALL SELECT 'rewind', r.number::text, to_jsonb(r) FROM rewind r
      WHERE r.goal_id = ${goalId}
    ORDER BY 1, 2`;
  const foreign = rows.find(({ table, row }) => !isWritten(keys, table, row));
  if (foreign === undefined) return null;
  const { table, name, row } = foreign;
  return { table, name, isSealed: row.seal !== null };
}
