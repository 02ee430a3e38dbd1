import { managerOf, mayAdd } from '../../proof/setup/detect-setups.ts';
import { lookAtAddition } from '../../proof-place/added-packages.ts';
import { withChanges } from '../../proof-place/tree-changes.ts';
import type { HostRun } from '../host-run.ts';
import { type Change, contentOf, nameOf } from './changes.ts';
import type { ProofTree } from './proof-tree.ts';
import { resultOf } from './setup.ts';
import { namesTaken, planSetups, type SetupPlan } from './setup-plans.ts';

/**
 * The changes that only add packages from a registry, by name and content, where the policy allows
 * these.
 */
export async function allowedAdditions(
  host: HostRun,
  tree: ProofTree,
  changes: readonly Change[],
): Promise<Readonly<Record<string, string | null>>> {
  const { original, setup } = tree;
  if (setup?.dependencies !== 'allow' || original === undefined) return {};
  const files = changes.flatMap((change) =>
    change.kind === 'file' && mayAdd(change.file.path) ? [change.file] : [],
  );
  if (files.length === 0) return {};
  const plans = await planSetups({ ...tree, entries: withChanges({ entries: original }, files) });
  const allowed = new Set<string>();
  for (const plan of plans.filter(({ added, isPlain }) => isPlain && added.length > 0)) {
    if (!(await takesNoPlace(host, tree, plan))) continue;
    const { changes: open } = managerOf(plan)?.additions ?? {};
    for (const path of plan.inputs ?? []) if (open?.test(path)) allowed.add(path);
  }
  const taken = changes.filter((change) => change.kind === 'file' && allowed.has(nameOf(change)));
  return Object.fromEntries(taken.map((change) => [nameOf(change), contentOf(change)]));
}

/** Where the lock file doesn't say where packages come to lie, both installations are compared. */
async function takesNoPlace(host: HostRun, tree: ProofTree, plan: SetupPlan): Promise<boolean> {
  const look = managerOf(plan)?.additions?.look;
  if (look === undefined) return true;
  const { original = tree.entries, store } = tree;
  const before = await planSetups({ ...tree, entries: original });
  const old = before.find(({ tool, folder }) => tool === plan.tool && folder === plan.folder);
  if (old === undefined) return false;
  const [was, is] = [await resultOf(host, store, old), await resultOf(host, store, plan)];
  if (typeof was === 'string' || typeof is === 'string') return false;
  const names = namesTaken(original);
  return (await lookAtAddition(look, { was, is, ...plan, names })) === null;
}
