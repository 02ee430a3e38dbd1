import type { Executor, Transaction } from '../client.ts';
import type { Row } from '../row.ts';
import { type NewestSeal, newestSeal } from './counted-seal.ts';
import { type Columns, contentBy, countedTable, rowsOf, sealedAs } from './counted-table.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import type { Fragment } from './row-seal.ts';

/**
 * What a goal handed on: the share of its budget that is set aside for it, its place in the chain,
 * and what its parent asks of it. Each change of the service's is sealed with it.
 */
const SEALED = [
  ...(['delegate_id', 'parent_goal_id', 'call_id', 'turn', 'task', 'files', 'mode'] as const),
  ...(['returns', 'delay_seconds', 'state', 'wanted', 'is_held_by_parent'] as const),
  ...(['child_goal_id', 'hop', 'is_in_chain', 'reserved', 'outcome'] as const),
] as const;

/** A new column is a type error here. */
export const DELEGATE_COLUMNS: Columns<'delegate'> = {
  ...sealedAs(SEALED),
  created_at: 'ms',
  starts_at: 'ms',
  started_at: { free: 'is shown, and decides nothing' },
  ended_at: { free: 'is shown, and decides nothing' },
};

/** A delegate as it is stored, with its newest seal. */
export type SealedDelegate = Row<'delegate', (typeof SEALED)[number]> & {
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
  to_jsonb(d) || jsonb_build_object('sealed', ${newestSeal(sql, 'delegate', sql`d.delegate_id`)})`;

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

export const delegates = countedTable<SealedDelegate>({
  kind: 'delegate',
  since: 6,
  subject: ({ delegate_id: id }) => id,
  content: contentBy(DELEGATE_COLUMNS),
  read: (tx) => rowsOf(tx<Found[]>`${delegatesOf(tx, tx`true`)}`),
  isKept: true,
});

export const isDelegateIntact = delegates.isIntact;

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

type Found = { readonly row: SealedDelegate };

const delegatesOf = (sql: Executor, which: Fragment) => sql`
  SELECT ${sealedDelegate(sql)} AS row FROM delegate d WHERE ${which} ORDER BY d.delegate_id`;

const readByIds = (sql: Executor, ids: readonly string[]): Promise<SealedDelegate[]> =>
  rowsOf(sql<Found[]>`${delegatesOf(sql, sql`d.delegate_id IN ${sql([...ids])}`)}`);

/** The row of a goal that runs as a delegate. */
export async function readRunning(sql: Executor, goalId: string): Promise<SealedDelegate | null> {
  const isRunning = sql`d.child_goal_id = ${goalId} AND d.state = 'running'`;
  const [row] = await rowsOf(sql<Found[]>`${delegatesOf(sql, isRunning)}`);
  return row ?? null;
}

/** Seals a delegate that this transaction inserted. */
export async function sealNewDelegate(
  tx: Transaction,
  keys: LedgerKeys,
  delegateId: string,
): Promise<void> {
  if (keys.sealing === null) return;
  const rows = await readByIds(tx, [delegateId]);
  await delegates.seal(
    tx,
    keys,
    rows.filter(({ sealed }) => sealed === null),
  );
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
  const changed = await delegates.changing(
    tx,
    keys,
    () => readByIds(tx, ids),
    () => change(ids),
  );
  return [...changed];
}
