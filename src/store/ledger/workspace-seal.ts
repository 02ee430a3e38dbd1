import type { Executor, Transaction } from '../client.ts';
import type { DB } from '../generated/tables.ts';
import { canonicalStorable } from '../json.ts';
import type { Row } from '../row.ts';
import { digestUnder, type LedgerKey, type LedgerKeys } from './ledger-keys.ts';
import { byAnyKey } from './seals.ts';

/**
 * Where goals work is sealed under a key that the database doesn't have, anew with each change. The
 * seals of a name are counted and never removed, and the newest alone counts: neither a row of
 * somebody else's, nor another workspace's seal, nor a former one of its own names a folder.
 */
type SealedColumn =
  | 'name'
  | 'path'
  | 'host'
  | 'marker'
  | 'origin'
  | 'branch'
  | 'is_repository'
  | 'worktree_problem'
  | 'result';

/** All other columns are free to change, and why. A new one is a type error here. */
export const FREE_COLUMNS: Readonly<Record<Exclude<keyof DB['workspace'], SealedColumn>, string>> =
  {
    task_queue: 'is read by former versions alone',
    lease_goal_id: 'a lease: every step of a goal asks for it again',
    lease_check_id: 'a lease: it keeps goals away, and admits none',
    lease_epoch: 'a lease: no run is admitted by it',
    leased_at: 'when the lease was taken, for lists and checks that died',
    write_seq: 'a fence: another number has a gate look again',
    created_at: 'an order of lists',
  };

/** A workspace as it is stored, with the newest seal of its name. */
export type SealedWorkspace = Row<'workspace', SealedColumn> & {
  readonly sealed: Row<'workspace_seal', 'number' | 'seal'> | null;
};

/** A workspace `p` as a JSON object, in the snapshot of any statement. */
export const sealedWorkspace = (sql: Executor) => sql`
  jsonb_build_object('name', p.name, 'path', p.path, 'host', p.host, 'marker', p.marker,
    'origin', p.origin, 'branch', p.branch, 'is_repository', p.is_repository,
    'worktree_problem', p.worktree_problem, 'result', p.result,
    'sealed', (SELECT jsonb_build_object('number', s.number, 'seal', s.seal)
      FROM workspace_seal s WHERE s.name = p.name ORDER BY s.number DESC LIMIT 1))`;

/** Null = there is no such workspace. */
export async function readWorkspace(sql: Executor, name: string): Promise<SealedWorkspace | null> {
  const [row] = await sql<{ workspace: SealedWorkspace }[]>`
    SELECT ${sealedWorkspace(sql)} AS workspace FROM workspace p WHERE p.name = ${name}`;
  return row?.workspace ?? null;
}

const sealOf = (key: LedgerKey, number: number, { sealed: _, ...row }: SealedWorkspace): string =>
  digestUnder(key, (digest) => digest.update(canonicalStorable(['workspace', number, row])));

/** Without a key nothing is sealed, and every row counts. */
export function isWorkspaceIntact(keys: LedgerKeys, row: SealedWorkspace): boolean {
  if (keys.sealing === null) return true;
  if (row.sealed === null) return false;
  const { number, seal } = row.sealed;
  return byAnyKey(keys, (key) => sealOf(key, number, row)).includes(seal);
}

/** Said of one that isn't, behind its name. */
export const ALTERED_WORKSPACE =
  'what is stored of it is not what was sealed: somebody changed the database. ' +
  'Register its folder again, or restore a backup';

/** Seals the row as it stands. Its caller wrote all of it in this transaction, and so holds it. */
export async function sealWorkspace(
  tx: Transaction,
  keys: LedgerKeys,
  name: string,
): Promise<void> {
  const { sealing } = keys;
  if (sealing === null) return;
  const row = await readWorkspace(tx, name);
  if (row === null) return;
  const { number = 0, seal = null } = row.sealed ?? {};
  if (seal === sealOf(sealing, number, row)) return;
  await tx`
    INSERT INTO workspace_seal (name, number, seal)
    VALUES (${name}, ${number + 1}, ${sealOf(sealing, number + 1, row)})`;
}

/** Seals what `change` makes of a row, unless somebody else had changed it before. */
export async function changingWorkspace<Result>(
  tx: Transaction,
  keys: LedgerKeys,
  name: string,
  change: () => Promise<Result>,
): Promise<Result> {
  if (keys.sealing === null) return await change();
  await tx`SELECT 1 FROM workspace WHERE name = ${name} FOR UPDATE`;
  const before = await readWorkspace(tx, name);
  const result = await change();
  if (before !== null && isWorkspaceIntact(keys, before)) await sealWorkspace(tx, keys, name);
  return result;
}

/** Takes in what was there before seals covered it; later on, what has none is no workspace. */
export const adoptWorkspaces = (tx: Transaction, keys: LedgerKeys): Promise<void> =>
  sealWhere(tx, keys, ({ sealed }) => sealed === null);

/** Seals by the first key what a former one sealed, so that the former one may go. */
export const renewWorkspaces = (tx: Transaction, keys: LedgerKeys): Promise<void> =>
  sealWhere(
    tx,
    keys,
    (row) =>
      row.sealed?.seal.startsWith(`${keys.sealing?.keyId}.`) === false &&
      isWorkspaceIntact(keys, row),
  );

async function sealWhere(
  tx: Transaction,
  keys: LedgerKeys,
  isDue: (row: SealedWorkspace) => boolean,
): Promise<void> {
  const rows = await tx<{ workspace: SealedWorkspace }[]>`
    SELECT ${sealedWorkspace(tx)} AS workspace FROM workspace p ORDER BY p.name`;
  for (const { name } of rows.map(({ workspace }) => workspace).filter(isDue)) {
    await tx`SELECT 1 FROM workspace WHERE name = ${name} FOR UPDATE`;
    const row = await readWorkspace(tx, name);
    if (row !== null && isDue(row)) await sealWorkspace(tx, keys, name);
  }
}
