import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Attempts, Runnable } from '../attempt-outcome.ts';
import { type CanaryFinding, findBends, type Replaced } from '../canaries/find-bends.ts';
import { runAfterSetup, runSetup } from '../clean.ts';
import { type HostRun, runAsHost } from '../host-run.ts';
import type { CheckRun } from '../run-check.ts';
import { inPlace, type Place } from './place.ts';
import type { ProofTree } from './proof-tree.ts';
import { type Rewrite, withRewrites } from './rewrites.ts';
import { afterSetup } from './setup.ts';

export interface ProofAttempts extends Attempts {
  /** Absent where there is nothing to be proven. */
  readonly canaries?: CanaryFinding;
  /** Files that it changed or made while it ran. */
  readonly rewrites?: readonly Rewrite[];
}

/**
 * Runs a check on this tree and nothing else. A gate's check that passes runs again for the names of
 * its tests, which the last run's report has, and once more with canaries.
 */
export async function runProof(
  host: HostRun,
  goalId: string,
  criterion: Runnable,
  tree: ProofTree,
): Promise<ProofAttempts> {
  if (host.origin !== 'gate') return await runProofPlainly(host, goalId, criterion, tree);
  const names = { wereTold: () => wereTold(host, goalId, criterion) };
  const ran = await inPlace(host, goalId, tree, (place) =>
    withRewrites(place, tree, async () =>
      afterSetup(place, await runAfterSetup(host, criterion, { ...place, names }, WHERE)),
    ),
  );
  if (!ran.last.isMet || !hasWork(tree) || (criterion.spec.expectExit ?? 0) !== 0) return ran;
  const { original, store, entries } = tree;
  const canaries = await findBends({
    ...{ store, entries, original, before: ran.last },
    runWith: (changed, replaced, label) =>
      inPlace(host, goalId, { ...tree, entries: changed }, async (place) => {
        await replace(place.checkout, replaced);
        return await runLabelled(host, criterion, place, ran.last, label);
      }),
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
export const runProofPlainly = (
  host: HostRun,
  goalId: string,
  criterion: Runnable,
  tree: ProofTree,
): Promise<ProofAttempts> =>
  inPlace(host, goalId, tree, (place) =>
    withRewrites(place, tree, async () =>
      afterSetup(place, await runAfterSetup(host, criterion, place, WHERE)),
    ),
  );

/** On the original nothing can be bent by the goal. */
const hasWork = ({ entries, original }: ProofTree): boolean =>
  original === undefined ||
  entries.size !== original.size ||
  [...entries].some(([path, entry]) => original.get(path) !== entry);

async function replace(folder: string, files: readonly Replaced[]): Promise<void> {
  for (const { path, text, mode } of files) {
    await rm(join(folder, path), { force: true });
    await writeFile(join(folder, path), text, { flag: 'wx', mode });
  }
}

/** A run that is to fail is no outcome of the check. */
async function runLabelled(
  { proof: _, ...host }: HostRun,
  criterion: Runnable,
  place: Place,
  plain: CheckRun,
  label: string,
): Promise<CheckRun> {
  // Its setup is another call than that of the run before.
  const own = { ...host, prefix: `${host.prefix}.${label}` };
  const setup = await runSetup(own, criterion, place, WHERE);
  if (setup !== null && !setup.last.isMet) return setup.last;
  const ran = await runAsHost(own, { ...criterion, ...place, plain, label });
  host.signal.throwIfAborted();
  return ran;
}

async function wereTold({ ports }: HostRun, goalId: string, { criterionId }: Runnable) {
  const baselines = await ports.proofs.baselines(goalId);
  const known = baselines.find((one) => one.criterionId === criterionId);
  return known?.report?.hasNames === true;
}
