import { createHash } from 'node:crypto';
import type { ChainFault, ChainVerdict, LedgerRow } from '../../../schema/ledger.ts';
import { canonicalJson } from '../json.ts';
import { digestUnder, keyIdOf, type LedgerKey, type LedgerKeys } from './ledger-keys.ts';

export type UnhashedRow = Omit<LedgerRow, 'hash'>;

export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}

/** Position up to which a chain was verified. */
export interface Checkpoint extends ChainHead {
  /** First row sealed by a key; null while there is none. */
  readonly sealedFrom: number | null;
}

export interface ChainBreak {
  readonly at: number;
  readonly fault: ChainFault;
  readonly problem: string;
  readonly record?: ChainVerdict['record'];
}

/** The head that a decision recorded, beside the present hash of that row. */
export interface DecisionHead {
  readonly turn: number;
  readonly ledgerSeq: number;
  readonly ledgerHead: string;
  /** Null when the row is missing. */
  readonly found: string | null;
}

/** Previous hash of a goal's first row. */
export const genesisHash = (goalId: string): string =>
  createHash('sha256').update(goalId).digest('hex');

export const chainStart = (goalId: string): Checkpoint => ({
  seq: 0,
  hash: genesisHash(goalId),
  sealedFrom: null,
});

/** Each row's hash covers the one before it; with a key only its owner can make a valid row. */
export function hashRow(row: UnhashedRow, key: LedgerKey | null): string {
  return digestUnder(key, (digest) => digest.update(row.previous).update(canonicalJson(row)));
}

/** Verifies the next rows in the order of `seq`; stops at the first invalid one. */
export function walkRows(
  from: Checkpoint,
  rows: readonly LedgerRow[],
  keys: LedgerKeys,
  firstSealed: number | null,
): Checkpoint | ChainBreak {
  let at = from;
  for (const row of rows) {
    const broken = breakAt(at, row, keys, firstSealed);
    if (broken !== null) return broken;
    const sealedFrom = at.sealedFrom ?? (keyIdOf(row.hash) === null ? null : row.seq);
    at = { seq: row.seq, hash: row.hash, sealedFrom };
  }
  return at;
}

export const isBreak = (walked: object): walked is ChainBreak => 'problem' in walked;

function breakAt(
  at: Checkpoint,
  row: LedgerRow,
  keys: LedgerKeys,
  firstSealed: number | null,
): ChainBreak | null {
  const { seq } = row;
  if (seq !== at.seq + 1) return faulty(at.seq + 1, 'missing', `row ${at.seq + 1} is missing`);
  const keyId = keyIdOf(row.hash);
  if (keyId === null && at.sealedFrom !== null) {
    return faulty(seq, 'unsealed', `row ${seq} is not sealed although row ${at.sealedFrom} was`);
  }
  if (keyId === null && firstSealed !== null && seq >= firstSealed) {
    return faulty(seq, 'unsealed', `row ${seq} is not sealed although a key is set`);
  }
  const key = keyId === null ? null : keys.find(keyId);
  if (key === undefined) return faulty(seq, 'key', keyProblem(seq, keyId, keys));
  const { hash, ...unhashed } = row;
  if (hashRow(unhashed, key) !== hash) return faulty(seq, 'edited', `row ${seq} was edited`);
  if (row.previous === at.hash) return null;
  return faulty(seq, 'edited', `row ${seq} does not follow the row before it`);
}

/** One row by itself: is it what its key sealed? Rows up to `sealedFrom` were there before the key. */
export function isRowIntact(row: LedgerRow, keys: LedgerKeys, sealedFrom: number): boolean {
  if (keys.sealing === null) return true;
  const keyId = keyIdOf(row.hash);
  const key = keyId === null ? null : keys.find(keyId);
  if (key === undefined || (key === null && row.seq > sealedFrom)) return false;
  const { hash, ...unhashed } = row;
  return hashRow(unhashed, key) === hash;
}

function keyProblem(seq: number, keyId: string | null, { sealing }: LedgerKeys): string {
  const given = sealing === null ? 'no key is set' : 'the key that is set is another one';
  return `row ${seq} is sealed with the key ${keyId}, and ${given}: nothing can be said of it`;
}

const faulty = (at: number, fault: ChainFault, problem: string): ChainBreak => ({
  at,
  fault,
  problem,
});

/**
 * Compares the end of the chain with the journal's head, and the rows with the heads that decisions
 * recorded. This finds a tail that was cut off together with the journal's head.
 */
export function findHeadBreak(
  goalId: string,
  end: ChainHead,
  journal: ChainHead,
  decisions: readonly DecisionHead[],
): ChainBreak | null {
  for (const { turn, ledgerSeq, ledgerHead, found } of decisions) {
    if (ledgerSeq > end.seq) return cutOff(end.seq + 1);
    const hash = ledgerSeq === 0 ? genesisHash(goalId) : found;
    if (hash === ledgerHead) continue;
    const problem = `row ${ledgerSeq} is not the one that the decision of turn ${turn} saw`;
    return faulty(ledgerSeq, 'edited', problem);
  }
  if (journal.seq > end.seq) return cutOff(end.seq + 1);
  if (journal.seq < end.seq) {
    const at = journal.seq + 1;
    return faulty(at, 'added', `row ${at} was added behind the head`);
  }
  if (journal.hash === end.hash) return null;
  return faulty(end.seq, 'edited', `row ${end.seq} is not the journal's head`);
}

const cutOff = (at: number): ChainBreak =>
  faulty(at, 'missing', `the ledger was cut off: row ${at} is missing`);

/** The former seq of a row with a wrong hash, if the row was moved. */
export function findFormerPlace(row: LedgerRow, rows: number, keys: LedgerKeys): number | null {
  const { hash, ...unhashed } = row;
  const keyId = keyIdOf(hash);
  const key = keyId === null ? null : keys.find(keyId);
  if (key === undefined) return null;
  for (let seq = 1; seq <= rows; seq += 1) {
    if (seq !== row.seq && hashRow({ ...unhashed, seq }, key) === hash) return seq;
  }
  return null;
}
