import { Refusal } from '../../contract/failures.ts';
import type { Tree } from '../../contract/intake.ts';
import type { Transaction } from '../client.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { changingWorkspace, sealWorkspace } from '../ledger/workspace-seal.ts';
import { GONE_AFTER_MS } from '../reads/worker-state.ts';
import type { Row } from '../row.ts';
import { FREE_AFTER_MS } from '../workspaces/pools.ts';

/**
 * The marker tells whether a name that is known belongs to the same tree. All that is sealed of it is
 * what the host just saw, so a row that somebody changed holds again. One that comes from another host
 * brings its worktrees along; its goals go on in new executions.
 * @throws Refusal
 */
export async function registerTree(tx: Transaction, keys: LedgerKeys, tree: Tree): Promise<void> {
  const row = {
    name: tree.name,
    marker: tree.marker,
    path: tree.path,
    host: tree.host,
    is_repository: tree.isRepository ?? false,
    worktree_problem: tree.worktreeProblem ?? null,
  };
  const [former] = await tx<Row<'workspace', 'host'>[]>`
    SELECT host FROM workspace WHERE name = ${tree.name} FOR UPDATE`;
  const isMoved = former !== undefined && former.host !== tree.host;
  if (isMoved) await assertUnserved(tx, tree.name, former.host);
  const { count } = await tx`
    INSERT INTO workspace ${tx(row)}
    ON CONFLICT (name) DO UPDATE SET path = excluded.path, host = excluded.host,
      is_repository = excluded.is_repository, worktree_problem = excluded.worktree_problem,
      branch = NULL, result = NULL
    WHERE workspace.marker = excluded.marker AND workspace.origin IS NULL`;
  if (count === 1) {
    await sealWorkspace(tx, keys, tree.name);
    if (isMoved) await moveWorktrees(tx, keys, tree);
    return await tellServed(tx, tree);
  }
  throw new Refusal(
    'invalid_request',
    `The workspace name "${tree.name}" belongs to another tree`,
    {
      field: 'workspace.name',
    },
  );
}

/**
 * Two hosts that work in one tree end each other's goals. One that is silent may be cut off, and goes
 * on writing until it notices: its pool is not free before it has.
 */
async function assertUnserved(tx: Transaction, name: string, host: string): Promise<void> {
  const refused = (why: string) =>
    new Refusal('invalid_request', `The workspace "${name}" ${why}`, { field: 'workspace.name' });
  const living = await tx`
    SELECT FROM worker WHERE host = ${host}
      AND seen_at > now() - make_interval(secs => ${GONE_AFTER_MS / 1000})`;
  if (living.count > 0)
    throw refused(
      `is served by workers of "${host}": stop them, or give all that see its files GOALKEEPER_POOL=${host}`,
    );
  const [held] = await tx<Row<'pool', 'machine'>[]>`
    SELECT machine FROM pool WHERE name = ${host}
      AND seen_at > now() - make_interval(secs => ${FREE_AFTER_MS / 1000})`;
  if (held !== undefined)
    throw refused(
      `may still be written to by ${held.machine}, which fell silent less than a minute ago: it is taken up after that`,
    );
}

/** Their folders lie beside; each is judged when it is worked in. */
async function moveWorktrees(tx: Transaction, keys: LedgerKeys, { name, host }: Tree) {
  const worktrees = await tx<Row<'workspace', 'name'>[]>`
    SELECT name FROM workspace WHERE origin = ${name} ORDER BY name`;
  for (const worktree of worktrees)
    await changingWorkspace(
      tx,
      keys,
      worktree.name,
      () => tx`UPDATE workspace SET host = ${host} WHERE name = ${worktree.name}`,
    );
}

/** What its host refused until now it says at its next sign of life: too late for whoever asks before. */
async function tellServed(tx: Transaction, { name, host }: Tree): Promise<void> {
  await tx`
    UPDATE worker SET refused = (
      SELECT coalesce(jsonb_agg(one), '[]') FROM jsonb_array_elements(refused) AS one
      WHERE one->>'name' <> ${name}
    ) WHERE host = ${host} AND refused @> ${tx.json([{ name }])}`;
}
