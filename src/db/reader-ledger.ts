import type { Database } from './client.ts';
import { decodeCursor, pageOf } from './cursor.ts';
import { type StoredLedgerRow, toLedgerRow } from './ledger-row.ts';
import type { ReaderPort } from './ports.ts';

type Ledgers = Pick<ReaderPort, 'ledger' | 'chain' | 'output'>;

interface DecisionHead {
  readonly turn: number;
  readonly ledger_seq: number;
  readonly ledger_head: string;
}

export function readLedgerPages(db: Database): Ledgers {
  return {
    async ledger(goalId, { tool, outcome, q, cursor, limit }) {
      const [after] = (decodeCursor(cursor, 1) ?? [0]) as [number];
      const rows = await db<StoredLedgerRow[]>`
        SELECT * FROM ledger WHERE goal_id = ${goalId} AND seq > ${after}
          ${tool === undefined ? db`` : db`AND tool = ${tool}`}
          ${outcome === undefined ? db`` : db`AND outcome = ${outcome}`}
          ${q === undefined ? db`` : db`AND position(lower(${q}) in lower(body::text)) > 0`}
        ORDER BY seq LIMIT ${limit + 1}`;
      return pageOf(rows, limit, toLedgerRow, (row) => [row.seq]);
    },

    // One snapshot: rows that are appended meanwhile would look like an edited head.
    chain(goalId) {
      return db.begin('isolation level repeatable read read only', async (tx) => {
        const [head] = await tx<{ seq: number; hash: string }[]>`
          SELECT ledger_seq AS seq, ledger_head AS hash FROM journal WHERE goal_id = ${goalId}`;
        const rows = await tx<StoredLedgerRow[]>`
          SELECT * FROM ledger WHERE goal_id = ${goalId} ORDER BY seq`;
        const decisions = await tx<DecisionHead[]>`
          SELECT turn, ledger_seq, ledger_head FROM decision
          WHERE goal_id = ${goalId} ORDER BY turn`;
        return {
          rows: rows.map(toLedgerRow),
          head: head ?? { seq: 0, hash: '' },
          decisions: decisions.map(({ turn, ledger_seq, ledger_head }) => ({
            turn,
            ledgerSeq: ledger_seq,
            ledgerHead: ledger_head,
          })),
        };
      });
    },

    async output(goalId, seq) {
      const [row] = await db<{ content: Buffer }[]>`
        SELECT o.content FROM ledger l JOIN output o ON o.ref = l.output_ref
        WHERE l.goal_id = ${goalId} AND l.seq = ${seq}`;
      return row?.content ?? null;
    },
  };
}
