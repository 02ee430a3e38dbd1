import { createHash } from 'node:crypto';
import type { SealKind } from '../../../schema/ledger.ts';
import { canonicalJson, canonicalStorable } from '../json.ts';
import type { Row } from '../row.ts';
import { type ChainHead, genesisHash } from './ledger-chain.ts';
import { digestUnder, keyIdOf, type LedgerKey, type LedgerKeys } from './ledger-keys.ts';

/** What is sealed: a record that decides, named by kind and subject. */
export interface Sealed {
  readonly kind: SealKind;
  readonly subject: string;
  readonly digest: string;
}

/** The last seal of a goal. */
export interface SealEnd {
  readonly number: number;
  readonly hash: string;
}

export type SealRow = Row<
  'seal',
  | 'goal_id'
  | 'number'
  | 'kind'
  | 'subject'
  | 'digest'
  | 'ledger_seq'
  | 'ledger_head'
  | 'at'
  | 'previous'
  | 'hash'
>;

/** Digest of a record's content, equal before it is stored and after it is read. */
export const contentDigest = (content: unknown): string =>
  createHash('sha256').update(canonicalStorable(content)).digest('hex');

export const firstEnd = (goalId: string): SealEnd => ({ number: 0, hash: genesisHash(goalId) });

const under = (key: LedgerKey, ...bound: readonly unknown[]): string =>
  digestUnder(key, (digest) => digest.update(canonicalJson(bound)));

/** Each seal is needed twice: with its head, and where the next one follows. */
const MOST_KNOWN = 1000;
const known = new WeakMap<LedgerKey, Map<string, string>>();

/** Seal of a ledger's length and head. */
export function ledgerSeal(key: LedgerKey, goalId: string, { seq, hash }: ChainHead): string {
  const seals = known.get(key) ?? new Map<string, string>();
  known.set(key, seals);
  const name = `${goalId} ${seq} ${hash}`;
  const seal = seals.get(name) ?? under(key, 'ledger', goalId, seq, hash);
  if (seals.size >= MOST_KNOWN) seals.clear();
  seals.set(name, seal);
  return seal;
}

/** Seal of the number of a goal's seals and of the last one. */
export const endSeal = (key: LedgerKey, goalId: string, { number, hash }: SealEnd): string =>
  under(key, 'seals', goalId, number, hash);

/**
 * What seals cover, by the number that a note of their beginning bears: 3 = all of these kinds and
 * what gives rights, 4 = workspaces and what criteria told before the work as well, 5 = usage and what
 * gates found, 6 = delegates, deliveries of triggers, and which row of a criterion is its newest, 7 = what
 * people let run for good in a workspace, 8 = rows that are written once, each with a seal of its own,
 * 9 = where goals stand, and by numbered seals what bore its own: workspaces, schedules, triggers and
 * sessions.
 */
export const COVERED = 9;
/** The newest of these that goals' own seals bear. */
export const GOALS_SINCE = 3;
export const COVERED_SINCE: Readonly<Record<SealKind, number>> = {
  ...{ start: 1, decision: 1, approval: 1, completion: 1 },
  ...{ terms: 2, order: 2, answer: 2, dispute: 2, message: 2, requirements: 2 },
  ground: 3,
};

export const sealingSeal = (
  key: LedgerKey,
  startedAt: string,
  goals: number,
  covers: number,
): string => under(key, 'sealing', startedAt, goals, ...(covers === 1 ? [] : [covers]));

/** The seals of one thing that any of the keys can have made. */
export const byAnyKey = (keys: LedgerKeys, seal: (key: LedgerKey) => string): string[] =>
  keys.all.map(seal);

const hashSeal = (key: LedgerKey, { hash: _, ...row }: SealRow): string => under(key, 'seal', row);

/** Whether a key of these made the seal as it stands; its place in the chain is not looked at. */
export function isSealHolding(keys: LedgerKeys, row: SealRow): boolean {
  const key = keys.find(keyIdOf(row.hash) ?? '');
  return key !== undefined && hashSeal(key, row) === row.hash;
}

export function chainSeals(
  key: LedgerKey,
  goalId: string,
  from: { readonly end: SealEnd; readonly ledger: ChainHead; readonly at: string },
  sealed: readonly Sealed[],
): SealRow[] {
  let end = from.end;
  return sealed.map(({ kind, subject, digest }) => {
    const { number, hash: previous } = end;
    const row: SealRow = {
      goal_id: goalId,
      number: number + 1,
      kind,
      subject,
      digest,
      ledger_seq: from.ledger.seq,
      ledger_head: from.ledger.hash,
      at: from.at,
      previous,
      hash: '',
    };
    const hash = hashSeal(key, row);
    end = { number: row.number, hash };
    return { ...row, hash };
  });
}

/** @returns the number of the first seal that is not what was written, and why */
export function findSealBreak(
  goalId: string,
  rows: readonly SealRow[],
  keys: LedgerKeys,
): { readonly number: number; readonly why: 'key' | 'edited' | 'missing' } | null {
  let end = firstEnd(goalId);
  for (const row of rows) {
    const { number } = row;
    if (number !== end.number + 1) return { number: end.number + 1, why: 'missing' };
    const key = keys.find(keyIdOf(row.hash) ?? '');
    if (key === undefined) return { number, why: keyIdOf(row.hash) === null ? 'edited' : 'key' };
    if (row.previous !== end.hash || hashSeal(key, row) !== row.hash)
      return { number, why: 'edited' };
    end = { number, hash: row.hash };
  }
  return null;
}
