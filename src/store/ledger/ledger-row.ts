import type { JSONValue } from 'postgres';
import type { LedgerRow } from '../../../schema/ledger.ts';
import type { Executor } from '../client.ts';
import { storable } from '../json.ts';
import type { LedgerBody, Row } from '../row.ts';
import { type ChainHead, hashRow, type UnhashedRow } from './ledger-chain.ts';
import type { LedgerKey } from './ledger-keys.ts';

export type StoredLedgerRow = Row<
  'ledger',
  | 'goal_id'
  | 'seq'
  | 'phase'
  | 'call_id'
  | 'turn'
  | 'step'
  | 'token'
  | 'tool'
  | 'effect'
  | 'outcome'
  | 'body'
  | 'output_ref'
  | 'at'
  | 'previous'
  | 'hash'
>;

export function toLedgerRow(row: StoredLedgerRow): LedgerRow {
  return {
    seq: row.seq,
    phase: row.phase,
    callId: row.call_id,
    turn: row.turn,
    step: row.step,
    token: row.token,
    tool: row.tool,
    effect: row.effect,
    ...(row.outcome === null ? {} : { outcome: row.outcome }),
    ...row.body,
    ...(row.output_ref === null ? {} : { outputRef: row.output_ref }),
    at: row.at,
    previous: row.previous,
    hash: row.hash,
  };
}

/** A new row without its place in the chain. */
export type LedgerEntry = Omit<UnhashedRow, 'seq' | 'previous' | 'at'>;

/** Hashes the values as Postgres returns them, so that a row read later has the same hash. */
export function chainEntry(
  goalId: string,
  entry: LedgerEntry,
  head: ChainHead,
  key: LedgerKey | null,
) {
  const { arguments: args, plan, receipt, outputRef, outcome, ...rest } = entry;
  const body = storable({ arguments: args, plan, receipt }) as LedgerBody;
  const row: UnhashedRow = {
    ...rest,
    ...(outcome === undefined ? {} : { outcome }),
    ...body,
    ...(outputRef === undefined ? {} : { outputRef }),
    seq: head.seq + 1,
    at: new Date().toISOString(),
    previous: head.hash,
  };
  const stored: StoredLedgerRow = {
    goal_id: goalId,
    seq: row.seq,
    phase: row.phase,
    call_id: row.callId,
    turn: row.turn,
    step: row.step,
    token: row.token,
    tool: row.tool,
    effect: row.effect,
    outcome: outcome ?? null,
    body,
    output_ref: outputRef ?? null,
    at: row.at,
    previous: row.previous,
    hash: hashRow(row, key),
  };
  return stored;
}

/** `INSERT … SELECT …` of the row, to be continued by a `FROM` that has its `goal_id`. */
export const insertOfRow = (sql: Executor, row: StoredLedgerRow) => sql`
  INSERT INTO ledger (goal_id, seq, phase, call_id, turn, step, token, tool, effect, outcome,
    body, output_ref, at, previous, hash)
  SELECT goal_id, ${row.seq}::int, ${row.phase}, ${row.call_id}, ${row.turn}::int,
    ${row.step}::int, ${row.token}::int, ${row.tool}, ${row.effect}, ${row.outcome},
    ${sql.json(row.body as JSONValue)}, ${row.output_ref}, ${row.at}::timestamptz,
    ${row.previous}, ${row.hash}`;
