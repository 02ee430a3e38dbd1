import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorePlace } from '../../checkpoints/store-git.ts';
import type { TreeEntry } from '../../checkpoints/tree.ts';
import type { Lent } from '../../contract/effects.ts';
import { proofFolder } from '../../proof-place/original.ts';
import { layOut, removeTree } from '../../proof-place/place.ts';
import type { Attempts, Runnable } from '../attempt-outcome.ts';
import { homeOfCheckout } from '../checkout.ts';
import { runAfterSetup } from '../clean.ts';
import type { HostRun } from '../host-run.ts';

/** What a proof run works on. */
export interface ProofTree {
  readonly store: StorePlace;
  readonly entries: ReadonlyMap<string, TreeEntry>;
  readonly lent: readonly Lent[];
}

/**
 * Runs a check on this tree and nothing else, in a folder that no command of the goal reaches, with
 * a home of its own. The folder shows at the workspace's path, so that what was installed there
 * works, and the workspace itself shows nowhere. A gate's check that passes runs again for the names
 * of its tests: the last run's report has them.
 */
export async function runProof(
  host: HostRun,
  goalId: string,
  criterion: Runnable,
  { store, entries, lent }: ProofTree,
): Promise<Attempts> {
  const checkout = join(proofFolder(host.ports.home, goalId), 'place');
  const home = homeOfCheckout(checkout);
  const names = { wereTold: () => wereTold(host, goalId, criterion), canWait: () => false };
  await clearHome(home);
  await layOut(checkout, store, entries);
  try {
    const conditions = { checkout, lent, ...(host.origin === 'gate' && { names }) };
    return await runAfterSetup(host, criterion, conditions, 'the proof run');
  } finally {
    await clearHome(home);
  }
}

async function wereTold({ ports }: HostRun, goalId: string, { criterionId }: Runnable) {
  const baselines = await ports.basis.baselines(goalId);
  const known = baselines.find((one) => one.criterionId === criterionId);
  return known?.report?.hasNames === true;
}

/** A run may close its home to removal; under another name it is nobody's home any more. */
async function clearHome(home: string): Promise<void> {
  const aside = `${home}.${randomUUID()}`;
  const isThere = await rename(home, aside).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return false;
    },
  );
  if (isThere) await removeTree(aside);
}
