import { createHash } from 'node:crypto';
import { canonicalJson } from '../json.ts';
import type { Row } from '../row.ts';
import type { ChainBreak } from './ledger-chain.ts';
import { digestUnder, keyIdOf, type LedgerKey, type LedgerKeys } from './ledger-keys.ts';

/** Everything of an entry; `seq` has gaps, `number` has none. */
export type SecurityRow = Row<
  'security_log',
  | 'seq'
  | 'at'
  | 'who'
  | 'role'
  | 'address'
  | 'what'
  | 'subject'
  | 'result'
  | 'data'
  | 'number'
  | 'previous'
  | 'hash'
>;

export interface SecurityEnd {
  readonly number: number;
  readonly hash: string;
}

/** The migration stores it as the first end. */
export const SECURITY_START: SecurityEnd = {
  number: 0,
  hash: createHash('sha256').update('goalkeeper security log').digest('hex'),
};

type Unchained = Omit<SecurityRow, 'seq' | 'number' | 'previous' | 'hash'>;

const hashEntry = (
  key: LedgerKey | null,
  { at, who, role, address, what, subject, result, data }: Unchained,
  place: { readonly number: number; readonly previous: string },
): string =>
  digestUnder(key, (digest) =>
    digest.update(
      canonicalJson({
        ...{ at, who, role, address, what, subject, result, data },
        ...{ number: place.number, previous: place.previous },
      }),
    ),
  );

/** The entry's place behind the end. */
export function chainEntryOf(key: LedgerKey | null, end: SecurityEnd, entry: Unchained) {
  const place = { number: end.number + 1, previous: end.hash };
  return { ...place, hash: hashEntry(key, entry, place) };
}

export const securitySeal = (key: LedgerKey, { number, hash }: SecurityEnd): string =>
  digestUnder(key, (digest) => digest.update(canonicalJson(['security log', number, hash])));

/** Feeds what stood in the log before it was a chain, row by row. */
export function formerDigest() {
  const digest = createHash('sha256');
  let rows = 0;
  return {
    add({ number: _, previous: __, hash: ___, ...row }: SecurityRow) {
      rows += 1;
      digest.update(canonicalJson(row));
    },
    end: () => ({ before: rows, sha256: digest.copy().digest('hex') }),
  };
}

/** Whether the service wrote the entry as it stands; its place in the chain is not looked at. */
export function isOwnEntry(keys: LedgerKeys, row: SecurityRow): boolean {
  const { number, previous, hash } = row;
  if (number === null || previous === null || hash === null) return false;
  const keyId = keyIdOf(hash);
  if (keyId === null && keys.sealing !== null) return false;
  const key = keyId === null ? null : keys.find(keyId);
  return key !== undefined && hashEntry(key, row, { number, previous }) === hash;
}

export interface WalkedLog extends SecurityEnd {
  readonly sealedFrom: number | null;
  /** What the first sealed entry says of the rows before the chain. */
  readonly former: { readonly before?: unknown; readonly sha256?: unknown } | null;
}

export const logStart: WalkedLog = { ...SECURITY_START, sealedFrom: null, former: null };

/** @returns the place behind the entry, or why it isn't what was written */
export function walkEntry(
  at: WalkedLog,
  row: SecurityRow,
  keys: LedgerKeys,
): WalkedLog | ChainBreak {
  const { number, previous, hash, seq, what } = row;
  const name = `entry ${seq}`;
  if (number === null || previous === null || hash === null)
    return { at: seq, fault: 'added', problem: `${name} has no place in the chain` };
  if (number !== at.number + 1)
    return {
      at: seq,
      fault: 'missing',
      problem: `${number - at.number - 1} before ${name} are gone`,
    };
  const keyId = keyIdOf(hash);
  if (keyId === null && at.sealedFrom !== null)
    return { at: seq, fault: 'unsealed', problem: `${name} is not sealed although a key is set` };
  const key = keyId === null ? null : keys.find(keyId);
  if (key === undefined)
    return { at: seq, fault: 'key', problem: `${name} is sealed with the key ${keyId}` };
  if (hashEntry(key, row, { number, previous }) !== hash)
    return { at: seq, fault: 'edited', problem: `${name} was edited` };
  if (previous !== at.hash)
    return { at: seq, fault: 'edited', problem: `${name} does not follow the one before it` };
  const isFirst = at.sealedFrom === null && keyId !== null;
  const former = isFirst && what === 'log_sealed' ? (row.data as WalkedLog['former']) : at.former;
  return { number, hash, sealedFrom: at.sealedFrom ?? (keyId === null ? null : number), former };
}
