import type { Budget, UsageFields } from '../../../schema/budget.ts';
import type { Activity, GoalStatus, PauseReason } from '../../../schema/goal.ts';
import type { HistoryPoint } from '../../../schema/history.ts';
import type { TodoList } from '../../../schema/todo.ts';
import type { EventRow, PointPlace } from '../../contract/reads.ts';
import { addDecimals } from '../../goal/budget/decimal.ts';
import { initialChart } from '../../goal/chart/machine.ts';
import { activityOf } from '../../goal/chart/view.ts';
import type { Database } from '../client.ts';
import { jsonOf, type PrismaClient, type Store, timeOf } from '../store.ts';
import { withLaterWrites } from './reader-todos.ts';

type PlainEvent = Pick<EventRow, 'seq' | 'type' | 'data' | 'at'>;

/**
 * What was true behind one event: folded from the events and versioned rows that were written with
 * it, so that it is the same whenever it is asked for. Null where the goal has no such place.
 */
export async function readPoint(
  store: Store,
  goalId: string,
  place: PointPlace,
): Promise<HistoryPoint | null> {
  const { sql, prisma } = store;
  const newest = await readNewestEvent(prisma, goalId);
  const wanted = await seqOf(sql, goalId, place, newest);
  if (wanted === null) return null;
  const event = await readEventAt(prisma, goalId, Math.max(1, Math.min(wanted, newest)));
  if (event === null) return null;
  return { newest, ...(await stateBehind(store, goalId, event)) };
}

async function stateBehind(
  { sql: db, prisma }: Store,
  goalId: string,
  event: PlainEvent,
): Promise<Omit<HistoryPoint, 'newest'>> {
  const { seq, at, type, data } = event;
  const [changed, opened, settled, list] = await Promise.all([
    readLast<Changed>(prisma, goalId, seq, 'goal.changed'),
    readLast<{ turn: number }>(prisma, goalId, seq, 'turn.opened'),
    readLast<Settled>(prisma, goalId, seq, 'turn.settled'),
    readListAt(prisma, goalId, at),
  ]);
  const revision = changed?.data.revision ?? 1;
  const [budget, sums, since] = await Promise.all([
    readBudgetAt(db, goalId, revision),
    settled === null ? null : readSumsAt(prisma, goalId, settled.data.turn),
    readSince(db, goalId, settled?.seq ?? 0, seq),
  ]);
  const ledgerSeq = (sums?.ledgerSeq ?? 0) + since.rows;
  const turn = Math.max(opened?.data.turn ?? 0, settled?.data.turn ?? 0);
  return {
    seq,
    at,
    event: { type, data },
    status: changed?.data.status ?? 'active',
    revision,
    activity: changed?.data.activity ?? activityOf(initialChart(), at),
    pauseReason: changed?.data.reason ?? null,
    turn,
    isTurnOpen: opened !== null && opened.seq > (settled?.seq ?? 0),
    decision: settled === null ? null : decisionOf(settled.data),
    budget,
    usage: {
      tokens: (sums?.usage.tokens ?? 0) + since.tokens,
      costUsd: addDecimals(sums?.usage.costUsd ?? '0', since.costUsd),
      turns: (sums?.usage.turns ?? 0) + since.turns,
      activeSeconds: sums?.usage.activeSeconds ?? 0,
    },
    ledgerSeq,
    todos: await withLaterWrites(db, goalId, list, ledgerSeq),
  };
}

interface Changed {
  readonly status: GoalStatus;
  readonly revision: number;
  readonly activity: Activity;
  readonly reason?: PauseReason;
}

interface Settled {
  readonly turn: number;
  readonly rule: number;
  readonly action: string;
  readonly sentence: string;
  readonly missing: string[];
}

const decisionOf = ({ turn, rule, action, sentence, missing }: Settled) => ({
  turn,
  rule,
  action,
  sentence,
  missing,
});

export async function readNewestEvent({ journal }: PrismaClient, goalId: string): Promise<number> {
  const row = await journal.findUnique({ where: { goalId }, select: { eventSeq: true } });
  return row?.eventSeq ?? 0;
}

async function seqOf(
  db: Database,
  goalId: string,
  place: PointPlace,
  newest: number,
): Promise<number | null> {
  if ('seq' in place) return place.seq;
  if ('at' in place) return readSeqAt(db, goalId, place.at);
  const [turn] = await db<{ state: string; at: string | null }[]>`
    SELECT t.state, d.at FROM turn t LEFT JOIN decision d USING (goal_id, turn)
    WHERE t.goal_id = ${goalId} AND t.turn = ${place.turn}`;
  if (turn === undefined) return null;
  return turn.at === null ? newest : readSeqAt(db, goalId, turn.at);
}

/** Events have no index by time, but they are numbered in its order: some sixteen looks find it. */
async function readSeqAt(db: Database, goalId: string, at: string): Promise<number> {
  const [found] = await db<{ low: number }[]>`
    WITH RECURSIVE probe (low, high) AS (
      SELECT 0, event_seq FROM journal WHERE goal_id = ${goalId}
      UNION ALL
      SELECT CASE WHEN e.at <= ${at}::timestamptz THEN m.mid ELSE p.low END,
        CASE WHEN e.at <= ${at}::timestamptz THEN p.high ELSE m.mid - 1 END
      FROM probe p
      CROSS JOIN LATERAL (SELECT (p.low + p.high + 1) / 2 AS mid) m
      JOIN event e ON e.goal_id = ${goalId} AND e.seq = m.mid
      WHERE p.low < p.high
    )
    SELECT low FROM probe WHERE low >= high LIMIT 1`;
  return Math.max(1, found?.low ?? 1);
}

async function readEventAt(
  { event }: PrismaClient,
  goalId: string,
  seq: number,
): Promise<PlainEvent | null> {
  const row = await event.findFirst({
    where: { goalId, seq: { lte: seq } },
    select: { seq: true, type: true, data: true, at: true },
    orderBy: { seq: 'desc' },
  });
  return row && { ...row, at: timeOf(row.at) };
}

async function readLast<Data>(
  { event }: PrismaClient,
  goalId: string,
  seq: number,
  type: string,
): Promise<{ readonly seq: number; readonly data: Data } | null> {
  const row = await event.findFirst({
    where: { goalId, type, seq: { lte: seq } },
    select: { seq: true, data: true },
    orderBy: { seq: 'desc' },
  });
  return row && { seq: row.seq, data: jsonOf<Data>(row.data) };
}

async function readListAt(
  { todoList }: PrismaClient,
  goalId: string,
  at: string,
): Promise<TodoList> {
  const list = await todoList.findFirst({
    where: { goalId, createdAt: { lte: at } },
    orderBy: { revision: 'desc' },
  });
  return { revision: list?.revision ?? 0, items: jsonOf(list?.items ?? []) };
}

/** Every commit keeps the state that it made; before the first one, the start's own event has it. */
async function readBudgetAt(db: Database, goalId: string, revision: number): Promise<Budget> {
  const [row] = await db<[{ budget: Budget }]>`
    SELECT coalesce(
      (SELECT coalesce(result->'state', result)->'budget' FROM commit
        WHERE goal_id = ${goalId} AND revision <= ${revision} ORDER BY revision DESC LIMIT 1),
      (SELECT data->'budget' FROM event WHERE goal_id = ${goalId} AND seq = 1),
      (SELECT budget FROM goal WHERE goal_id = ${goalId})) AS budget`;
  return row.budget;
}

async function readSumsAt(
  { decision }: PrismaClient,
  goalId: string,
  turn: number,
): Promise<{ readonly usage: UsageFields; readonly ledgerSeq: number } | null> {
  const row = await decision.findUnique({ where: { goalId_turn: { goalId, turn } } });
  return row && { usage: jsonOf(row.usage), ledgerSeq: row.ledgerSeq };
}

/** Charged, opened and written to the ledger behind one event, up to another. */
async function readSince(db: Database, goalId: string, after: number, upTo: number) {
  const [row] = await db<[{ tokens: number; costUsd: string; turns: number; rows: number }]>`
    SELECT coalesce(sum((data->>'tokens')::bigint) FILTER (WHERE type LIKE 'step.%'), 0)::float8 AS tokens,
      trim_scale(coalesce(sum((data->>'costUsd')::numeric) FILTER (WHERE type LIKE 'step.%'), 0))::text
        AS "costUsd",
      (count(*) FILTER (WHERE type = 'turn.opened'))::int AS turns,
      (count(*) FILTER (WHERE type IN ('call.started', 'call.settled')))::int AS rows
    FROM event WHERE goal_id = ${goalId} AND seq > ${after} AND seq <= ${upTo}`;
  return row;
}
