import type { Executor, Transaction } from '../client.ts';
import { canonicalStorable } from '../json.ts';
import type { Row } from '../row.ts';
import { type NewestSeal, newestSeal } from './counted-seal.ts';
import { type Columns, contentBy, countedTable, rowsOf, sealedAs } from './counted-table.ts';
import { digestUnder, type LedgerKey, type LedgerKeys } from './ledger-keys.ts';
import type { Fragment } from './row-seal.ts';
import { byAnyKey } from './seals.ts';

/** Where goals work: neither a row of somebody else's nor a former one of its own names a folder. */
const SEALED = [
  ...(['name', 'path', 'host', 'marker', 'origin', 'branch', 'is_repository'] as const),
  ...(['worktree_problem', 'result'] as const),
] as const;

/** A new column is a type error here. */
export const WORKSPACE_COLUMNS: Columns<'workspace'> = {
  ...sealedAs(SEALED),
  task_queue: { free: 'is read by former versions alone' },
  lease_goal_id: { free: 'a lease: every step of a goal asks for it again' },
  lease_check_id: { free: 'a lease: it keeps goals away, and admits none' },
  lease_epoch: { free: 'a lease: no run is admitted by it' },
  leased_at: { free: 'when the lease was taken, for lists and checks that died' },
  write_seq: { free: 'a fence: another number has a gate look again' },
  created_at: { free: 'an order of lists' },
};

/** A workspace as it is stored, with the newest seal of its name. */
export type SealedWorkspace = Row<'workspace', (typeof SEALED)[number]> & {
  readonly sealed: NewestSeal;
};

/** A workspace `p` as a JSON object, in the snapshot of any statement. */
export const sealedWorkspace = (sql: Executor) => sql`
  to_jsonb(p) || jsonb_build_object('sealed', ${newestSeal(sql, 'workspace', sql`p.name`)})`;

type Found = { readonly row: SealedWorkspace };

const workspacesOf = (sql: Executor, which: Fragment) => sql`
  SELECT ${sealedWorkspace(sql)} AS row FROM workspace p WHERE ${which} ORDER BY p.name`;

const readAll = (tx: Transaction): Promise<SealedWorkspace[]> =>
  rowsOf(tx<Found[]>`${workspacesOf(tx, tx`true`)}`);

const readNamed = (sql: Executor, name: string): Promise<SealedWorkspace[]> =>
  rowsOf(sql<Found[]>`${workspacesOf(sql, sql`p.name = ${name}`)}`);

const content = contentBy(WORKSPACE_COLUMNS);

export const workspaces = countedTable<SealedWorkspace>({
  kind: 'workspace',
  since: 9,
  subject: ({ name }) => name,
  content,
  read: readAll,
  held: async (tx, keys, covered) => (covered < SINCE ? 'all' : await sealedByName(tx, keys)),
});

/** From then on until now seals of workspaces had a table of their own, and other words. */
const SINCE = 4;

async function sealedByName(tx: Transaction, keys: LedgerKeys): Promise<ReadonlySet<string>> {
  const seals = await tx<Row<'workspace_seal', 'name' | 'number' | 'seal'>[]>`
    SELECT DISTINCT ON (name) name, number, seal FROM workspace_seal ORDER BY name, number DESC`;
  const newest = new Map(seals.map((one) => [one.name, one]));
  const rows = await readAll(tx);
  const held = rows.filter((row) => {
    const { number, seal } = newest.get(row.name) ?? { number: 0, seal: '' };
    return byAnyKey(keys, (key) => formerSeal(key, number, row)).includes(seal);
  });
  return new Set(held.map(({ name }) => name));
}

export const formerSeal = (key: LedgerKey, number: number, row: object): string =>
  digestUnder(key, (hmac) => hmac.update(canonicalStorable(['workspace', number, content(row)])));

export const isWorkspaceIntact = workspaces.isIntact;

/** Null = there is no such workspace. */
export async function readWorkspace(sql: Executor, name: string): Promise<SealedWorkspace | null> {
  const [row] = await readNamed(sql, name);
  return row ?? null;
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
  if (keys.sealing === null) return;
  const row = await readWorkspace(tx, name);
  if (row !== null && !isWorkspaceIntact(keys, row)) await workspaces.seal(tx, keys, [row]);
}

/** Seals what `change` makes of a row, unless somebody else had changed it before. */
export async function changingWorkspace<Result>(
  tx: Transaction,
  keys: LedgerKeys,
  name: string,
  change: () => PromiseLike<Result>,
): Promise<Result> {
  if (keys.sealing === null) return await change();
  await tx`SELECT 1 FROM workspace WHERE name = ${name} FOR UPDATE`;
  return await workspaces.changing(tx, keys, () => readNamed(tx, name), change);
}
