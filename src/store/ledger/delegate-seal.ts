import type { Executor, Transaction } from '../client.ts';
import type { DB } from '../generated/tables.ts';
import { canonicalJson } from '../json.ts';
import type { Row } from '../row.ts';
import {
  type Counted,
  isCountedIntact,
  type NewestSeal,
  newestSeal,
  nextSeal,
  storeSeal,
} from './counted-seal.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import type { Fragment } from './row-seal.ts';

/**
 * What a goal handed on: the share of its budget that is set aside for it, its place in the chain,
 * and what its parent asks of it. Each change of the service's is sealed with it.
 */
type SealedColumn =
  | 'delegate_id'
  | 'parent_goal_id'
  | 'call_id'
  | 'turn'
  | 'task'
  | 'files'
  | 'mode'
  | 'returns'
  | 'delay_seconds'
  | 'state'
  | 'wanted'
  | 'is_held_by_parent'
  | 'child_goal_id'
  | 'hop'
  | 'is_in_chain'
  | 'reserved'
  | 'outcome';

/** Sealed as milliseconds. */
type SealedTime = 'created_at' | 'starts_at';

/** All other columns are free to change, and why. A new one is a type error here. */
export const FREE_DELEGATE_COLUMNS: Readonly<
  Record<Exclude<keyof DB['delegate'], SealedColumn | SealedTime>, string>
> = {
  started_at: 'is shown, and decides nothing',
  ended_at: 'is shown, and decides nothing',
};

/** A delegate as it is stored, with its newest seal. */
export type SealedDelegate = Row<'delegate', SealedColumn> & {
  readonly created_at: number;
  readonly starts_at: number | null;
  readonly sealed: NewestSeal;
};

export type DelegateRow = Row<
  'delegate',
  | 'delegate_id'
  | 'parent_goal_id'
  | 'call_id'
  | 'turn'
  | 'task'
  | 'files'
  | 'mode'
  | 'returns'
  | 'delay_seconds'
  | 'state'
  | 'child_goal_id'
  | 'hop'
  | 'reserved'
  | 'starts_at'
>;

/** A delegate `d` as a JSON object, in the snapshot of any statement. */
const sealedDelegate = (sql: Executor) => sql`
  jsonb_build_object('delegate_id', d.delegate_id, 'parent_goal_id', d.parent_goal_id,
    'call_id', d.call_id, 'turn', d.turn, 'task', d.task, 'files', d.files, 'mode', d.mode,
    'returns', d.returns, 'delay_seconds', d.delay_seconds, 'state', d.state, 'wanted', d.wanted,
    'is_held_by_parent', d.is_held_by_parent, 'child_goal_id', d.child_goal_id, 'hop', d.hop,
    'is_in_chain', d.is_in_chain, 'reserved', d.reserved, 'outcome', d.outcome,
    'created_at', (extract(epoch FROM d.created_at) * 1000)::bigint,
    'starts_at', (extract(epoch FROM d.starts_at) * 1000)::bigint,
    'sealed', ${newestSeal(sql, 'delegate', sql`d.delegate_id`)})`;

/** All that a goal `g` is, and has, as a delegate. */
export interface SealedDelegation {
  /** It and the goals above it that are delegates. */
  readonly line: readonly string[];
  /** Its own delegates, and the rows of its line. */
  readonly delegates: readonly SealedDelegate[];
}

/** The {@link SealedDelegation} of a goal `g`, as a JSON object. */
export const sealedDelegation = (sql: Executor) => sql`
  (WITH RECURSIVE line AS (
      SELECT g.goal_id, g.parent_goal_id
      UNION ALL
      SELECT p.goal_id, p.parent_goal_id FROM goal p JOIN line l ON p.goal_id = l.parent_goal_id
    )
    SELECT jsonb_build_object(
      'line', (SELECT coalesce(jsonb_agg(l.goal_id), '[]') FROM line l
        WHERE l.parent_goal_id IS NOT NULL),
      'delegates', (SELECT coalesce(jsonb_agg(${sealedDelegate(sql)} ORDER BY d.delegate_id), '[]')
        FROM delegate d WHERE d.parent_goal_id = g.goal_id
          OR d.child_goal_id IN (SELECT l.goal_id FROM line l))))`;

export async function readDelegation(
  sql: Executor,
  goalId: string,
): Promise<SealedDelegation | null> {
  const [row] = await sql<{ delegation: SealedDelegation }[]>`
    SELECT ${sealedDelegation(sql)} AS delegation FROM goal g WHERE g.goal_id = ${goalId}`;
  return row?.delegation ?? null;
}

const counted = ({ sealed, ...content }: SealedDelegate): Counted => ({
  ...{ kind: 'delegate', subject: content.delegate_id, content, sealed },
});

export const isDelegateIntact = (keys: LedgerKeys, delegate: SealedDelegate): boolean =>
  isCountedIntact(keys, counted(delegate));

/** Delegates that are not what was sealed last, and goals of the line whose row went to another. */
export function alteredDelegates(
  keys: LedgerKeys,
  { line, delegates }: SealedDelegation,
): readonly string[] {
  if (keys.sealing === null) return [];
  const children = new Set(delegates.map(({ child_goal_id: child }) => child));
  return [
    ...delegates
      .filter((delegate) => !isDelegateIntact(keys, delegate))
      .map(({ delegate_id: id }) => id),
    ...line.filter((goalId) => !children.has(goalId)),
  ];
}

const readByIds = (sql: Executor, ids: readonly string[]): Promise<SealedDelegate[]> =>
  sql<{ delegate: SealedDelegate }[]>`
    SELECT ${sealedDelegate(sql)} AS delegate FROM delegate d
    WHERE d.delegate_id IN ${sql([...ids])}`.then((rows) => rows.map(({ delegate }) => delegate));

/** The row of a goal that runs as a delegate. */
export async function readRunning(sql: Executor, goalId: string): Promise<SealedDelegate | null> {
  const [row] = await sql<{ delegate: SealedDelegate }[]>`
    SELECT ${sealedDelegate(sql)} AS delegate FROM delegate d
    WHERE d.child_goal_id = ${goalId} AND d.state = 'running'`;
  return row?.delegate ?? null;
}

/** Seals a delegate that this transaction inserted. */
export async function sealNewDelegate(
  tx: Transaction,
  keys: LedgerKeys,
  delegateId: string,
): Promise<void> {
  if (keys.sealing === null) return;
  for (const row of await readByIds(tx, [delegateId]))
    if (row.sealed === null) await storeSeal(tx, nextSeal(keys, counted(row)));
}

export type LockedDelegate = Pick<DelegateRow, 'delegate_id'>;

/** A statement that locks the delegates `d` of which `which` holds, in the order of their ids. */
export const lockingDelegates = (sql: Executor, which: Fragment) => sql`
  SELECT d.delegate_id FROM delegate d WHERE ${which} ORDER BY d.delegate_id FOR UPDATE`;

/** A statement that changes these delegates, and returns their rows. */
export const settingDelegates = (sql: Executor, set: Fragment, ids: readonly string[]) => sql`
  UPDATE delegate SET ${set} WHERE delegate_id IN ${sql([...ids])} RETURNING *`;

/**
 * Changes the delegates that `locking` returns, and seals what they become, unless somebody else
 * changed them before: no edit is vouched for.
 * @returns the rows as they are now
 */
export async function changeDelegates(
  tx: Transaction,
  keys: LedgerKeys,
  locking: PromiseLike<readonly LockedDelegate[]>,
  change: (ids: readonly string[]) => PromiseLike<readonly DelegateRow[]>,
): Promise<DelegateRow[]> {
  // A statement that waits for a lock would see the seals as they were before the wait.
  const locked = await locking;
  if (locked.length === 0) return [];
  const ids = locked.map(({ delegate_id: id }) => id);
  const before = keys.sealing === null ? [] : await readByIds(tx, ids);
  const changed = await change(ids);
  const known = new Map(before.map((row) => [row.delegate_id, row]));
  const after = keys.sealing === null ? [] : await readByIds(tx, ids);
  for (const row of after) {
    const former = known.get(row.delegate_id);
    const isOurs = former !== undefined && isDelegateIntact(keys, former);
    if (isOurs && canonicalJson(former) !== canonicalJson(row))
      await storeSeal(tx, nextSeal(keys, counted(row)));
  }
  return [...changed];
}

/** Takes in what was handed on before seals covered it; later on, what has none is no delegate. */
export async function adoptDelegates(tx: Transaction, keys: LedgerKeys): Promise<void> {
  const rows = await tx<{ delegate: SealedDelegate }[]>`
    SELECT ${sealedDelegate(tx)} AS delegate FROM delegate d ORDER BY d.delegate_id`;
  for (const { delegate } of rows)
    if (delegate.sealed === null) await storeSeal(tx, nextSeal(keys, counted(delegate)));
}
