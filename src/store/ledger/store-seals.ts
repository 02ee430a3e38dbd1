import type { JSONValue } from 'postgres';
import type { Executor } from '../client.ts';
import type { ChainHead } from './ledger-chain.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import type { StoredLedgerRow } from './ledger-row.ts';
import {
  byAnyKey,
  chainSeals,
  endSeal,
  firstEnd,
  ledgerSeal,
  type SealEnd,
  type Sealed,
  type SealRow,
} from './seals.ts';

/** A locked goal's place in both chains. */
export interface SealPlace {
  readonly goalId: string;
  readonly end: SealEnd;
  readonly ledger: ChainHead;
  readonly at: string;
}

/**
 * A piece of `UPDATE journal SET …` that moves the ledger's head to `row`. A head whose own seal
 * doesn't hold is never sealed again: nobody's edit is vouched for by the next append.
 */
export const headMovedTo = (sql: Executor, keys: LedgerKeys, row: StoredLedgerRow) => sql`
  ${sealedHead(sql, keys, row)} ledger_seq = ${row.seq}, ledger_head = ${row.hash}`;

function sealedHead(sql: Executor, keys: LedgerKeys, row: StoredLedgerRow) {
  const { sealing } = keys;
  if (sealing === null) return sql``;
  const { goal_id: goalId, seq, hash, previous } = row;
  const known = byAnyKey(keys, (key) => ledgerSeal(key, goalId, { seq: seq - 1, hash: previous }));
  return sql`ledger_seal = CASE WHEN ledger_seal IN ${sql(known)}
    THEN ${ledgerSeal(sealing, goalId, { seq, hash })} END,`;
}

/** Seals behind a goal's last one; null = there is none to add. */
export interface NewSeals {
  readonly rows: readonly SealRow[];
  readonly last: SealEnd;
  readonly lastSeal: string;
  /** What seals the end before them. */
  readonly before: readonly string[];
}

export function newSeals(
  keys: LedgerKeys,
  { goalId, end, ledger, at }: SealPlace,
  sealed: readonly Sealed[],
): NewSeals | null {
  const { sealing } = keys;
  const rows = sealing === null ? [] : chainSeals(sealing, goalId, { end, ledger, at }, sealed);
  const last = rows.at(-1);
  if (sealing === null || last === undefined) return null;
  const before = byAnyKey(keys, (key) => endSeal(key, goalId, end));
  return { rows, last, lastSeal: endSeal(sealing, goalId, last), before };
}

/** An expression of a `WITH`; {@link sealsEnded} belongs to it. */
export const sealsStored = (sql: Executor, { rows }: NewSeals) => sql`
  seals_stored AS (
    INSERT INTO seal (goal_id, number, kind, subject, digest, ledger_seq, ledger_head, at,
      previous, hash)
    SELECT goal_id, number, kind, subject, digest, ledger_seq, ledger_head, at, previous, hash
    FROM jsonb_to_recordset(${sql.json(rows as unknown as JSONValue)}) AS s(goal_id text,
      number int, kind text, subject text, digest text, ledger_seq int, ledger_head text,
      at timestamptz, previous text, hash text)
  )`;

/**
 * A piece of `UPDATE journal SET …` that moves the end of the goal's seals. An end whose own seal
 * doesn't hold is never sealed again.
 */
export const sealsEnded = (sql: Executor, { last, lastSeal, before }: NewSeals) => sql`
  seals = ${last.number}, seal_head = ${last.hash},
  seal_end = CASE WHEN seal_end IN ${sql(before)} THEN ${lastSeal} END`;

/** Seals records that other statements stored. */
export async function storeSeals(
  tx: Executor,
  keys: LedgerKeys,
  place: SealPlace,
  sealed: readonly Sealed[],
): Promise<void> {
  const seals = newSeals(keys, place, sealed);
  if (seals === null) return;
  await tx`
    WITH ${sealsStored(tx, seals)}
    UPDATE journal SET ${sealsEnded(tx, seals)} WHERE goal_id = ${place.goalId}`;
}

/** Seals the beginning of a goal of which nothing stands in the record yet. */
export async function sealBeginning(
  sql: Executor,
  keys: LedgerKeys,
  goalId: string,
): Promise<void> {
  const { sealing } = keys;
  if (sealing === null) return;
  const end = firstEnd(goalId);
  await sql`
    UPDATE journal SET ledger_seal = ${ledgerSeal(sealing, goalId, { seq: 0, hash: end.hash })},
      seal_head = ${end.hash}, seal_end = ${endSeal(sealing, goalId, end)}
    WHERE goal_id = ${goalId} AND ledger_seal IS NULL AND seal_end IS NULL AND ledger_seq = 0
      AND ledger_head = ${end.hash} AND seals = 0 AND turn = 0 AND steps = 0
      AND NOT EXISTS (SELECT 1 FROM ledger l WHERE l.goal_id = ${goalId})
      AND NOT EXISTS (SELECT 1 FROM decision d WHERE d.goal_id = ${goalId})`;
}
