import type { Budget, UsageFields } from '../../../schema/budget.ts';
import type { Activity, GoalStatus, PauseReason } from '../../../schema/goal.ts';
import type { HistoryPoint } from '../../../schema/history.ts';
import type { TodoList } from '../../../schema/todo.ts';
import type { EventRow, PointPlace } from '../../contract/reads.ts';
import { addDecimals } from '../../goal/budget/decimal.ts';
import { initialChart } from '../../goal/chart/machine.ts';
import { activityOf } from '../../goal/chart/view.ts';
import { recordedRule } from '../../record/decision/rule-names.ts';
import type { Database } from '../client.ts';
import type { Row } from '../row.ts';
import { withLaterWrites } from './reader-todos.ts';

type PlainEvent = Pick<EventRow, 'seq' | 'type' | 'data' | 'at'>;

/**
 * The goal's state behind one event, folded from the events and versioned rows written with it, so
 * the answer never changes. Null when the goal has no such point.
 */
export async function readPoint(
  db: Database,
  goalId: string,
  place: PointPlace,
): Promise<HistoryPoint | null> {
  const newest = await readNewestEvent(db, goalId);
  const wanted = await seqOf(db, goalId, place, newest);
  if (wanted === null) return null;
  const event = await readEventAt(db, goalId, Math.max(1, Math.min(wanted, newest)));
  if (event === null) return null;
  return { newest, ...(await stateBehind(db, goalId, event)) };
}

async function stateBehind(
  db: Database,
  goalId: string,
  event: PlainEvent,
): Promise<Omit<HistoryPoint, 'newest'>> {
  const { seq, at, type, data } = event;
  const [changed, opened, settled, list] = await Promise.all([
    readLast<Changed>(db, goalId, seq, 'goal.changed'),
    readLast<{ turn: number }>(db, goalId, seq, 'turn.opened'),
    readLast<Settled>(db, goalId, seq, 'turn.settled'),
    readListAt(db, goalId, at),
  ]);
  const revision = changed?.data.revision ?? 1;
  const [budget, sums, since] = await Promise.all([
    readBudgetAt(db, goalId, revision),
    settled === null ? null : readSumsAt(db, goalId, settled.data.turn),
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
  /** Absent in older events. */
  readonly ruleName?: string;
  readonly action: string;
  readonly sentence: string;
  readonly missing: string[];
}

const decisionOf = ({ turn, rule, ruleName, action, sentence, missing }: Settled) => ({
  turn,
  rule,
  ruleName: recordedRule(rule, ruleName),
  action,
  sentence,
  missing,
});

export async function readNewestEvent(db: Database, goalId: string): Promise<number> {
  const [row] = await db<Row<'journal', 'event_seq'>[]>`
    SELECT event_seq FROM journal WHERE goal_id = ${goalId}`;
  return row?.event_seq ?? 0;
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

/** A binary search: events have no index by time, but their numbers follow it. */
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

async function readEventAt(db: Database, goalId: string, seq: number): Promise<PlainEvent | null> {
  const [event] = await db<PlainEvent[]>`
    SELECT seq, type, data, at FROM event WHERE goal_id = ${goalId} AND seq <= ${seq}
    ORDER BY seq DESC LIMIT 1`;
  return event ?? null;
}

async function readLast<Data>(
  db: Database,
  goalId: string,
  seq: number,
  type: string,
): Promise<{ readonly seq: number; readonly data: Data } | null> {
  const [event] = await db<{ seq: number; data: Data }[]>`
    SELECT seq, data FROM event WHERE goal_id = ${goalId} AND seq <= ${seq} AND type = ${type}
    ORDER BY seq DESC LIMIT 1`;
  return event ?? null;
}

async function readListAt(db: Database, goalId: string, at: string): Promise<TodoList> {
  const [list] = await db<TodoList[]>`
    SELECT revision, items FROM todo_list WHERE goal_id = ${goalId} AND created_at <= ${at}
    ORDER BY revision DESC LIMIT 1`;
  return list ?? { revision: 0, items: [] };
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
  db: Database,
  goalId: string,
  turn: number,
): Promise<{ readonly usage: UsageFields; readonly ledgerSeq: number } | null> {
  const [row] = await db<{ usage: UsageFields; ledgerSeq: number }[]>`
    SELECT usage, ledger_seq AS "ledgerSeq" FROM decision
    WHERE goal_id = ${goalId} AND turn = ${turn}`;
  return row ?? null;
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
