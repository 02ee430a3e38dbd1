import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorePlace } from '../../checkpoints/store-git.ts';
import type { TreeEntry } from '../../checkpoints/tree.ts';
import type { Lent } from '../../contract/effects.ts';
import { proofFolder } from '../../proof-place/original.ts';
import { layOut, removeTree } from '../../proof-place/place.ts';
import type { Attempts, Runnable } from '../attempt-outcome.ts';
import { type CanaryFinding, findBends, type Replaced } from '../canaries/find-bends.ts';
import { homeOfCheckout } from '../checkout.ts';
import { runAfterSetup, runSetup } from '../clean.ts';
import { type HostRun, runAsHost } from '../host-run.ts';
import type { CheckRun } from '../run-check.ts';

/** What a proof run works on. */
export interface ProofTree {
  readonly store: StorePlace;
  readonly entries: ReadonlyMap<string, TreeEntry>;
  readonly lent: readonly Lent[];
  /** The tree without the goal's work, which tells what is the project's own doing. */
  readonly original?: ReadonlyMap<string, TreeEntry>;
}

export interface ProofAttempts extends Attempts {
  /** Absent where the check did not pass, or nothing is to be proven. */
  readonly canaries?: CanaryFinding;
}

/**
 * Runs a check on this tree and nothing else, in a folder that no command of the goal reaches, with
 * a home of its own. The folder shows at the workspace's path, so that what was installed there
 * works, and the workspace itself shows nowhere. A gate's check that passes runs again for the names
 * of its tests, which the last run's report has, and once more with canaries.
 */
export async function runProof(
  host: HostRun,
  goalId: string,
  criterion: Runnable,
  tree: ProofTree,
): Promise<ProofAttempts> {
  if (host.origin !== 'gate') return await runProofPlainly(host, goalId, criterion, tree);
  const names = { wereTold: () => wereTold(host, goalId, criterion), canWait: () => false };
  const ran = await inPlace(host, goalId, tree, [], (checkout) =>
    runAfterSetup(host, criterion, { checkout, lent: tree.lent, names }, WHERE),
  );
  if (!ran.last.isMet || (criterion.spec.expectExit ?? 0) !== 0) return ran;
  const { original, store, entries } = tree;
  const canaries = await findBends({
    ...{ store, entries, original, before: ran.last },
    runWith: (changed, replaced, label) =>
      inPlace(host, goalId, { ...tree, entries: changed }, replaced, (checkout) =>
        runLabelled(host, criterion, { checkout, lent: tree.lent, plain: ran.last }, label),
      ),
  });
  const receipts = [...ran.receipts, ...canaries.receipts];
  if (canaries.state !== 'bent') return { ...ran, receipts, canaries };
  const last = { ...ran.last, isMet: false };
  return { ...ran, last, receipts, canaries, reason: `in ${WHERE} it ${canaries.reason}`, remedy };
}

const WHERE = 'the proof run';
const remedy =
  'the sources may not change what judges them: assertions, the test runner, its report or the ' +
  'exit code of its process. Take that out and call attempt_completion.';

/** The same without names and canaries. */
export function runProofPlainly(
  host: HostRun,
  goalId: string,
  criterion: Runnable,
  tree: ProofTree,
): Promise<Attempts> {
  return inPlace(host, goalId, tree, [], (checkout) =>
    runAfterSetup(host, criterion, { checkout, lent: tree.lent }, WHERE),
  );
}

interface Place {
  readonly checkout: string;
  readonly lent: readonly Lent[];
  readonly plain: CheckRun;
}

async function runLabelled(
  host: HostRun,
  criterion: Runnable,
  place: Place,
  label: string,
): Promise<CheckRun> {
  // Its setup is another call than that of the run before.
  const own = { ...host, prefix: `${host.prefix}.${label}` };
  const setup = await runSetup(own, criterion, place, WHERE);
  if (setup !== null && !setup.last.isMet) return setup.last;
  const ran = await runAsHost(own, { ...criterion, ...place, label });
  host.signal.throwIfAborted();
  return ran;
}

async function inPlace<Result>(
  host: HostRun,
  goalId: string,
  { store, entries }: ProofTree,
  replaced: readonly Replaced[],
  run: (checkout: string) => Promise<Result>,
): Promise<Result> {
  const checkout = join(proofFolder(host.ports.home, goalId), 'place');
  const home = homeOfCheckout(checkout);
  await clearHome(home);
  await layOut(checkout, store, entries);
  for (const { path, text, mode } of replaced) {
    await rm(join(checkout, path), { force: true });
    await writeFile(join(checkout, path), text, { flag: 'wx', mode });
  }
  try {
    return await run(checkout);
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
