import type { Executor, Transaction } from '../client.ts';
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

export type SeenRows = Readonly<Record<GoalTable, Seen>>;

export const nothing = (): Record<GoalTable, Seen> => {
  const none = { through: 0, count: 0 };
  return Object.fromEntries(TABLES.map((table) => [table, none])) as Record<GoalTable, Seen>;
};

interface FoundRow {
  readonly table: GoalTable;
  readonly number: number;
  readonly row: Written<GoalTable> & { readonly seal: string | null };
}

export type FoundRows = readonly FoundRow[];

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

/** The first of them, in the snapshot of any statement. */
export const firstBeyond = (sql: Executor, goalId: string, seen: SeenRows) => sql`
  (SELECT coalesce(jsonb_agg(b), '[]')
    FROM (${rowsBeyond(sql, goalId, seen)} LIMIT ${AT_ONCE}) b)`;

/** Whether these are not the first of them only. */
export const areAll = (first: FoundRows): boolean => first.length < AT_ONCE;

/** A transaction that was held open may add a row below those that were seen. */
export const countsOfSeen = (sql: Executor, goalId: string, seen: SeenRows) => sql`
  jsonb_build_object(
    'compaction', (SELECT count(*)::int FROM compaction
      WHERE goal_id = ${goalId} AND number <= ${seen.compaction.through}),
    'inbox', (SELECT count(*)::int FROM inbox
      WHERE goal_id = ${goalId} AND seq <= ${seen.inbox.through}),
    'goal_attachment', (SELECT count(*)::int FROM goal_attachment
      WHERE goal_id = ${goalId} AND number <= ${seen.goal_attachment.through}))`;

const LATE = ['compaction', 'inbox', 'goal_attachment'] as const;

export type CountsOfSeen = Readonly<Record<(typeof LATE)[number], number>>;

export const isAnyLate = (counts: CountsOfSeen, seen: SeenRows): boolean =>
  LATE.some((table) => counts[table] !== seen[table].count);

export interface ForeignRow {
  readonly table: WrittenTable;
  /** Its number or name. */
  readonly name: string;
  readonly isSealed: boolean;
}

export interface Looked {
  readonly altered: readonly (ForeignRow & { readonly table: GoalTable })[];
  readonly seen: SeenRows;
}

export async function lookBeyond(
  sql: Executor,
  keys: LedgerKeys,
  goalId: string,
  before: SeenRows,
): Promise<Looked> {
  let looked: Looked = { altered: [], seen: before };
  await rowsBeyond(sql, goalId, before).cursor(AT_ONCE, (rows) => {
    looked = lookedAt(keys, looked, rows);
  });
  return looked;
}

/** With the next rows. */
export function lookedAt(keys: LedgerKeys, before: Looked, rows: FoundRows): Looked {
  const seen: Record<GoalTable, Seen> = { ...before.seen };
  const altered = [...before.altered];
  for (const { table, number, row } of rows) {
    const { through, count } = seen[table];
    const isNext = !GOAL_ROWS[table].isGapless || number === through + 1;
    if (!isNext || !isWritten(keys, table, row))
      altered.push({ table, name: String(number), isSealed: row.seal !== null });
    seen[table] = { through: number, count: count + 1 };
  }
  return { altered, seen };
}

export const namesOf = (altered: Looked['altered']): AlteredRows[] => [
  ...new Set(altered.map(({ table }) => GOAL_ROWS[table].name)),
];

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
