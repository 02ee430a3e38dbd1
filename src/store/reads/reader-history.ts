import type { HistoryCall, HistoryStep, HistoryTurn } from '../../../schema/history.ts';
import type { ReaderPort } from '../../contract/reads.ts';
import { recordedRule } from '../../record/decision/rule-names.ts';
import type { Database } from '../client.ts';
import type { Store } from '../store.ts';
import { readNewestEvent, readPoint } from './reader-point.ts';
import { readRuns } from './runs.ts';

type Histories = Pick<
  ReaderPort,
  'runs' | 'historyTurns' | 'newestEvent' | 'eventsPrunedTo' | 'point'
>;

/** Characters of the model's last text: enough for a line. */
const SAID = 400;

type TurnRow = Omit<HistoryTurn, 'steps' | 'calls' | 'events' | 'isCut'>;
type StoredTurn = Omit<TurnRow, 'ruleName'> & { readonly ruleName: string | null };
type StepRow = Omit<HistoryStep, 'calls'> & { readonly turn: number };
type CallRow = HistoryCall & { readonly turn: number; readonly step: number };

export function readHistories({ sql: db, prisma }: Store): Histories {
  return {
    runs: (goalId) => readRuns(prisma, goalId),

    newestEvent: (goalId) => readNewestEvent(db, goalId),

    async eventsPrunedTo(goalId) {
      const [row] = await db<{ to: number }[]>`
        SELECT events_pruned_to AS to FROM journal WHERE goal_id = ${goalId}`;
      return row?.to ?? 0;
    },

    point: (goalId, place) => readPoint(db, goalId, place),

    async historyTurns(goalId, { before, limit }) {
      const turns = await readTurns(db, goalId, before, limit);
      const lowest = turns.at(-1)?.turn;
      if (lowest === undefined) return [];
      const [steps, calls] = await Promise.all([
        readSteps(db, goalId, { lowest, before }),
        readCalls(db, goalId, { lowest, before }),
      ]);
      return turns.map((turn) => ({ ...turn, ...journalOf(turn.turn, steps, calls) }));
    },
  };
}

interface Range {
  readonly lowest: number;
  readonly before: number;
}

async function readTurns(
  db: Database,
  goalId: string,
  before: number,
  limit: number,
): Promise<TurnRow[]> {
  const rows = await db<StoredTurn[]>`
    SELECT t.turn, t.kind, t.state, t.started_at AS "startedAt", t.settled_at AS "settledAt",
      d.rule::int AS rule, d.outcome->>'ruleName' AS "ruleName", d.action, d.sentence,
      said.text AS said
    FROM turn t LEFT JOIN decision d ON d.goal_id = t.goal_id AND d.turn = t.turn
    LEFT JOIN LATERAL (
      SELECT left(m.content->>'text', ${SAID}) AS text FROM message m
      WHERE m.goal_id = t.goal_id AND m.turn = t.turn AND m.voice = 'model'
        AND m.content->>'text' ~ '\S'
      ORDER BY m.seq DESC LIMIT 1
    ) said ON true
    WHERE t.goal_id = ${goalId} AND t.turn < ${before}
    ORDER BY t.turn DESC LIMIT ${limit}`;
  return rows.map(({ ruleName, ...row }) => ({
    ...row,
    ruleName: row.rule === null ? null : recordedRule(row.rule, ruleName),
  }));
}

async function readSteps(db: Database, goalId: string, range: Range): Promise<StepRow[]> {
  return db<StepRow[]>`
    SELECT turn, step, kind, attempt, state, model,
      input_tokens - cached_input_tokens + output_tokens AS tokens,
      trim_scale(cost_usd)::text AS "costUsd",
      error->>'kind' || ': ' || left(error->>'message', 200) AS trouble,
      started_at AS "startedAt", ended_at AS "endedAt"
    FROM step
    WHERE goal_id = ${goalId} AND turn >= ${range.lowest} AND turn < ${range.before}
    ORDER BY turn, started_at, step, attempt`;
}

/**
 * Finds calls by their ledger range: the ledger has no index by turn but is in the order of turns.
 */
async function readCalls(db: Database, goalId: string, range: Range): Promise<CallRow[]> {
  return db<CallRow[]>`
    SELECT b.turn, b.step, b.tool, coalesce(e.seq, b.seq) AS seq, coalesce(e.outcome, b.outcome) AS outcome,
      b.at, CASE WHEN b.phase = 'settled' THEN b.at ELSE e.at END AS "settledAt"
    FROM ledger b
    LEFT JOIN ledger e ON e.goal_id = b.goal_id AND e.call_id = b.call_id AND e.phase = 'settled'
      AND b.phase = 'started'
    WHERE b.goal_id = ${goalId} AND b.turn >= ${range.lowest} AND b.turn < ${range.before}
      AND b.seq > coalesce((SELECT ledger_seq FROM decision
        WHERE goal_id = ${goalId} AND turn = ${range.lowest - 1}), 0)
      AND b.seq <= coalesce((SELECT ledger_seq FROM decision
        WHERE goal_id = ${goalId} AND turn = ${range.before - 1}), 2147483647)
      AND (b.phase = 'started' OR NOT EXISTS (
        SELECT 1 FROM ledger s
        WHERE s.goal_id = b.goal_id AND s.call_id = b.call_id AND s.phase = 'started'))
    ORDER BY b.seq`;
}

const isAsked = ({ kind, state }: StepRow): boolean => kind === 'turn' && state === 'committed';

const shownCall = ({ turn: _turn, step: _step, ...call }: CallRow): HistoryCall => call;

/** Groups each call with the step that asked for it; the host's own runs go with the turn. */
function journalOf(
  turn: number,
  steps: readonly StepRow[],
  calls: readonly CallRow[],
): Pick<HistoryTurn, 'steps' | 'calls'> {
  const own = steps.filter((step) => step.turn === turn);
  const called = calls.filter((call) => call.turn === turn);
  const askedIn = new Set(own.filter(isAsked).map(({ step }) => step));
  return {
    steps: own.map(({ turn: _, ...step }) => ({
      ...step,
      calls: isAsked({ turn, ...step })
        ? called.filter((call) => call.step === step.step).map(shownCall)
        : [],
    })),
    calls: called.filter((call) => !askedIn.has(call.step)).map(shownCall),
  };
}
