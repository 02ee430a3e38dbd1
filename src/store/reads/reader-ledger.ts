import type { ReaderPort } from '../../contract/reads.ts';
import type { WritingRow } from '../../proof/written-by.ts';
import type { Database } from '../client.ts';
import { decodeCursor, pageOf } from '../cursor.ts';
import { type StoredLedgerRow, toLedgerRow } from '../ledger/ledger-row.ts';
import { readOutput } from '../ledger/outputs.ts';
import type { Row } from '../row.ts';
import { inJson } from './words.ts';

type Ledgers = Pick<ReaderPort, 'ledger' | 'ledgerSegment' | 'output'>;

export function readLedgerPages(db: Database): Ledgers {
  return {
    async ledger(goalId, { tool, outcome, q, cursor, limit }) {
      const [after] = decodeCursor(cursor, ['number']) ?? [0];
      const rows = await db<StoredLedgerRow[]>`
        SELECT * FROM ledger l WHERE goal_id = ${goalId} AND seq > ${after}
          ${tool === undefined ? db`` : db`AND tool = ${tool}`}
          ${outcome === undefined ? db`` : db`AND outcome = ${outcome}`}
          ${q === undefined ? db`` : contains(db, goalId, q)}
        ORDER BY seq LIMIT ${limit + 1}`;
      return pageOf(rows, limit, toLedgerRow, (row) => [row.seq]);
    },

    async ledgerSegment(goalId, turn, whole) {
      const [head] = await db<Row<'decision', 'ledger_seq'>[]>`
        SELECT ledger_seq FROM decision WHERE goal_id = ${goalId} AND turn = ${turn}`;
      const last = Math.max(head?.ledger_seq ?? 0, ...whole);
      const first = Math.min(last, ...whole);
      const links = await db<Row<'ledger', 'seq' | 'previous' | 'hash'>[]>`
        SELECT seq, previous, hash FROM ledger
        WHERE goal_id = ${goalId} AND seq BETWEEN ${first} AND ${last} ORDER BY seq`;
      const cited = await db<StoredLedgerRow[]>`
        SELECT * FROM ledger WHERE goal_id = ${goalId} AND seq IN ${db([0, ...whole])}`;
      const rows = new Map(cited.map((row) => [row.seq, toLedgerRow(row)]));
      return {
        previous: links[0]?.previous ?? '',
        rows: links.map(({ seq, hash }) => rows.get(seq) ?? { seq, hash }),
        head: { seq: links.at(-1)?.seq ?? 0, hash: links.at(-1)?.hash ?? '' },
      };
    },

    async output(goalId, seq, range) {
      const [row] = await db<{ ref: string; bytes: number }[]>`
        SELECT output_ref AS ref, (body#>>'{receipt,outputBytes}')::int AS bytes FROM ledger
        WHERE goal_id = ${goalId} AND seq = ${seq} AND output_ref IS NOT NULL`;
      if (row === undefined) return null;
      const { offset, limit: most } = range ?? { offset: 0, limit: row.bytes };
      const limit = Math.max(0, Math.min(most, row.bytes - offset));
      return { bytes: row.bytes, pieces: readOutput(db, row.ref, { offset, limit }) };
    },
  };
}

interface WritingColumns extends Omit<WritingRow, 'file'> {
  readonly isOfFile: boolean;
  readonly hasPlan: boolean;
  readonly before: string | null;
  readonly hasHash: boolean;
  readonly after: string | null;
}

/** Ends of calls that tell who wrote this file, and of all that wrote or ran; oldest first. */
export async function readWritingRows(
  db: Database,
  goalId: string,
  path: string,
): Promise<WritingRow[]> {
  const rows = await db<WritingColumns[]>`
    SELECT e.seq, e.turn, e.tool, e.outcome = 'succeeded' AS "hasSucceeded",
      e.body#>>'{receipt,criterionId}' AS "criterionId",
      e.body#>>'{receipt,command}' AS command,
      coalesce(jsonb_array_length(e.body#>'{receipt,writes}'), 0) > 0 AS "hasWritten",
      coalesce(jsonb_exists(e.body#>'{receipt,writes}', ${path}), false) AS "isOfFile",
      coalesce(b.body#>>'{plan,path}' = ${path}, false) AS "hasPlan",
      b.body#>>'{plan,before}' AS before,
      coalesce(jsonb_exists(e.body#>'{receipt,hashes}', ${path}), false) AS "hasHash",
      e.body#>'{receipt,hashes}'->>${path} AS after
    FROM ledger e
    LEFT JOIN ledger b ON b.goal_id = e.goal_id AND b.call_id = e.call_id AND b.phase = 'started'
    WHERE e.goal_id = ${goalId} AND e.phase = 'settled' AND (
      e.body#>'{receipt,writes}' IS NOT NULL OR e.body#>'{receipt,criterionId}' IS NOT NULL
      OR e.body#>'{receipt,command}' IS NOT NULL)
    ORDER BY e.seq`;
  return rows.map(({ isOfFile, hasPlan, before, hasHash, after, ...row }) => ({
    ...row,
    file: isOfFile ? { ...(hasPlan ? { before } : {}), ...(hasHash ? { after } : {}) } : null,
  }));
}

/**
 * A scan of this goal's rows, stored outputs and tool messages, each only as far as the page needs
 * it. Outputs are bytes: they and the term are compared in the same escaped form, and only ASCII
 * letters lose their case.
 */
function contains(db: Database, goalId: string, q: string) {
  return db`AND (
    ${inJson(db, db`body`, q)}
    OR EXISTS (
      SELECT 1 FROM output_chunk c WHERE c.ref = l.output_ref AND position(
        lower(encode(convert_to(${q}, 'UTF8'), 'escape') COLLATE "C")
        in lower(encode(c.content || c.next_head, 'escape') COLLATE "C")) > 0)
    OR (phase = 'settled' AND call_id IN (
      SELECT content->>'callId' FROM message
      WHERE goal_id = ${goalId} AND voice = 'tool'
        AND position(lower(${q}) in lower(content->>'text')) > 0)))`;
}
