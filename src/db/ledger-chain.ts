import { createHash, createHmac } from 'node:crypto';
import type { LedgerRow } from '../../schema/ledger.ts';
import { canonicalJson } from './json.ts';

export type UnhashedRow = Omit<LedgerRow, 'hash'>;

export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}

export type ChainVerdict =
  | { readonly holds: true }
  | { readonly holds: false; readonly at: number; readonly problem: string };

/** What the first row of a goal points back to. */
export const genesisHash = (goalId: string): string =>
  createHash('sha256').update(goalId).digest('hex');

/** Each row's hash covers the one before it; with a key only its owner can make a valid row. */
export function hashRow(row: UnhashedRow, key?: string): string {
  const digest = key === undefined ? createHash('sha256') : createHmac('sha256', key);
  return digest.update(row.previous).update(canonicalJson(row)).digest('hex');
}

/**
 * Names the first row that was edited, is missing, was moved or was cut off. `head` is the
 * journal's; each decision recorded the head at its time, so a tail that was cut off together
 * with the journal's head is still found.
 */
export function verifyChain(
  goalId: string,
  rows: readonly LedgerRow[],
  head: ChainHead,
  decisions: readonly { turn: number; ledgerSeq: number; ledgerHead: string }[],
  key?: string,
): ChainVerdict {
  let previous = genesisHash(goalId);
  for (const [index, row] of rows.entries()) {
    const problem = problemOf(row, index + 1, previous, key);
    if (problem !== null) return { holds: false, at: Math.min(row.seq, index + 1), problem };
    previous = row.hash;
  }
  return verifyHeads(goalId, rows, head, decisions);
}

function problemOf(
  row: LedgerRow,
  expectedSeq: number,
  previous: string,
  key: string | undefined,
): string | null {
  if (row.seq > expectedSeq) return `row ${expectedSeq} is missing`;
  if (row.seq < expectedSeq) return `row ${row.seq} is out of order`;
  const { hash, ...unhashed } = row;
  if (hashRow(unhashed, key) !== hash) return `row ${row.seq} was edited`;
  if (row.previous !== previous) return `row ${row.seq} does not follow the row before it`;
  return null;
}

function verifyHeads(
  goalId: string,
  rows: readonly LedgerRow[],
  head: ChainHead,
  decisions: readonly { turn: number; ledgerSeq: number; ledgerHead: string }[],
): ChainVerdict {
  const hashAt = (seq: number) => (seq === 0 ? genesisHash(goalId) : rows[seq - 1]?.hash);
  const cutOff = (at: number): ChainVerdict => ({
    holds: false,
    at,
    problem: `the ledger was cut off: row ${at} is missing`,
  });
  for (const { turn, ledgerSeq, ledgerHead } of decisions) {
    if (ledgerSeq > rows.length) return cutOff(rows.length + 1);
    if (hashAt(ledgerSeq) !== ledgerHead) {
      const problem = `row ${ledgerSeq} is not the one that the decision of turn ${turn} saw`;
      return { holds: false, at: ledgerSeq, problem };
    }
  }
  if (head.seq > rows.length) return cutOff(rows.length + 1);
  if (head.seq < rows.length) {
    return {
      holds: false,
      at: head.seq + 1,
      problem: `row ${head.seq + 1} was added behind the head`,
    };
  }
  if (hashAt(head.seq) === head.hash) return { holds: true };
  return { holds: false, at: head.seq, problem: `row ${head.seq} is not the journal's head` };
}
