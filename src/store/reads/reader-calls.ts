import type { Call } from '../../../schema/turn.ts';
import type { CallFilter, ReaderPort } from '../../contract/reads.ts';
import type { Database } from '../client.ts';
import { decodeCursor, pageOf } from '../cursor.ts';
import { inJson, likeWords } from './words.ts';

type Calls = Pick<ReaderPort, 'calls' | 'call'>;

/** Text of a call's answer that is shown at once; the whole output has a route of its own. */
const SHOWN_TEXT = 20_000;

interface CallRow extends Omit<Call, 'hasOutput'> {
  readonly firstSeq: number;
  readonly outputRef: string | null;
}

export function readCalls(db: Database): Calls {
  return {
    async calls(goalId, filter) {
      const [before] = decodeCursor(filter.cursor, ['number']) ?? [2_147_483_647];
      const rows = await db<CallRow[]>`
        ${selectCalls(db, goalId)} AND b.seq < ${before} ${matching(db, goalId, filter)}
        ORDER BY b.seq DESC LIMIT ${filter.limit + 1}`;
      return pageOf(rows, filter.limit, toCall, ({ firstSeq }) => [firstSeq]);
    },

    async call(goalId, seq) {
      const [row] = await db<CallRow[]>`
        ${selectCalls(db, goalId)} AND (b.seq = ${seq} OR e.seq = ${seq}) LIMIT 1`;
      if (row === undefined) return null;
      const [message] = await db<{ text: string }[]>`
        SELECT left(content->>'text', ${SHOWN_TEXT}) AS text FROM message
        WHERE goal_id = ${goalId} AND turn = ${row.turn} AND voice = 'tool'
          AND content->>'callId' = ${row.callId} ORDER BY seq DESC LIMIT 1`;
      return { ...toCall(row), text: message?.text ?? null };
    },
  };
}

const toCall = ({ firstSeq: _, outputRef, ...row }: CallRow): Call => ({
  ...row,
  hasOutput: outputRef !== null,
});

/** `b` is where a call begins (its only row, if it was refused before it began), `e` its end. */
const selectCalls = (db: Database, goalId: string) => db`
  SELECT b.seq AS "firstSeq", b.call_id AS "callId", b.turn, b.step, b.tool, b.effect,
    coalesce(b.body->'arguments', e.body->'arguments') AS arguments,
    CASE WHEN b.phase = 'started' THEN b.seq END AS "startedSeq",
    CASE WHEN b.phase = 'started' THEN b.at END AS "startedAt",
    e.seq AS "settledSeq", e.at AS "settledAt", e.outcome, e.body->'receipt' AS receipt,
    e.output_ref AS "outputRef", coalesce(e.hash, b.hash) AS hash,
    coalesce(e.previous, b.previous) AS previous
  FROM ledger b
  LEFT JOIN ledger e ON e.goal_id = b.goal_id AND e.call_id = b.call_id AND e.phase = 'settled'
  WHERE b.goal_id = ${goalId} AND (b.phase = 'started' OR NOT EXISTS (
    SELECT 1 FROM ledger s
    WHERE s.goal_id = b.goal_id AND s.call_id = b.call_id AND s.phase = 'started'))`;

function matching(db: Database, goalId: string, { tool, outcome, turn, q, outputs }: CallFilter) {
  return db`
    ${tool === undefined ? db`` : db`AND b.tool = ${tool}`}
    ${turn === undefined ? db`` : db`AND b.turn = ${turn}`}
    ${outcome === undefined ? db`` : outcome === 'running' ? db`AND e.seq IS NULL` : db`AND e.outcome = ${outcome}`}
    ${q === undefined ? db`` : containing(db, goalId, q, outputs)}`;
}

/** In what was asked, what it did, or what it printed; as far as a page needs it. */
const containing = (
  db: Database,
  goalId: string,
  q: string,
  outputs: CallFilter['outputs'],
) => db`AND (
  ${inJson(db, db`b.body`, q)} OR ${inJson(db, db`e.body`, q)} OR e.hash ILIKE ${likeWords(q)}
  ${outputs === 'seen' ? db`` : printing(db, q)}
  OR EXISTS (
    SELECT 1 FROM message m WHERE m.goal_id = ${goalId} AND m.turn = b.turn AND m.voice = 'tool'
      AND m.content->>'callId' = b.call_id AND m.content->>'text' ILIKE ${likeWords(q)}))`;

/** Outputs are bytes: they and the words are compared in the same escaped form. */
const printing = (db: Database, q: string) => db`
  OR EXISTS (SELECT 1 FROM output_chunk c WHERE c.ref = e.output_ref AND position(
    lower(encode(convert_to(${q}, 'UTF8'), 'escape') COLLATE "C")
    in lower(encode(c.content || c.next_head, 'escape') COLLATE "C")) > 0)`;
