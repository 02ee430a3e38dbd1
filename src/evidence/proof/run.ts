import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PathRefused } from '../../workspace/paths.ts';
import { FileTooLarge, readRegularFile } from '../../workspace/regular-file.ts';
import type { Attempts, Runnable } from '../attempt-outcome.ts';
import { runAfterSetup, runSetup } from '../clean.ts';
import { type HostRun, runAsHost } from '../host-run.ts';
import type { CheckRun } from '../run-check.ts';
import { inPlace, type Place } from './place.ts';
import type { ProofTree } from './proof-tree.ts';
import { type Rewrite, withRewrites } from './rewrites.ts';
import { afterSetup } from './setup.ts';

/** A file that the place has in another version than the tree. */
export interface Replaced {
  readonly path: string;
  readonly content: Uint8Array;
  readonly mode: number;
}

export interface ProofAttempts extends Attempts {
  /** Files that it changed or made while it ran. */
  readonly rewrites?: readonly Rewrite[];
}

/**
 * Runs a check on this tree and nothing else. A gate's check that passes runs again for the names of
 * its tests, which the last run's report has.
 */
export async function runProof(
  host: HostRun,
  goalId: string,
  criterion: Runnable,
  tree: ProofTree,
): Promise<ProofAttempts> {
  if (host.origin !== 'gate') return await runProofPlainly(host, goalId, criterion, tree);
  const names = { wereTold: () => wereTold(host, goalId, criterion) };
  return await inPlace(host, goalId, tree, (place) =>
    withRewrites(place, tree, async () =>
      afterSetup(place, await runAfterSetup(host, criterion, { ...place, names }, WHERE)),
    ),
  );
}

const WHERE = 'the proof run';

/** The last of its tries. */
export interface ChangedRun extends CheckRun {
  /** Of all of them, with its setup. */
  readonly tookMs: number;
  /** What the judge's texts told the file that hears of it. */
  readonly heard?: string;
}

/** Runs it on this tree with other versions of some files, as often as its caller lets it try. */
export const runChanged = (
  host: HostRun,
  goalId: string,
  criterion: Runnable,
  tree: ProofTree,
  replaced: readonly Replaced[],
  plain: CheckRun | undefined,
  label: string,
  hearing?: string,
): Promise<ChangedRun> =>
  inPlace(host, goalId, tree, async (place) => {
    await replace(place.checkout, replaced);
    if (hearing === undefined) return await runLabelled(host, criterion, place, plain, label);
    const file = join(place.checkout, hearing);
    await writeFile(file, '', { flag: 'wx' });
    // Whoever runs the tests writes to it.
    await chmod(file, 0o666);
    const ran = await runLabelled(host, criterion, place, plain, label);
    return { ...ran, heard: await readHeard(file) };
  });

/** The same without names. */
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

const MOST_HEARD_BYTES = 16 * 1024 * 1024;

/** Nothing, where the work has put something else in its place. */
async function readHeard(file: string): Promise<string> {
  try {
    return String((await readRegularFile(file, MOST_HEARD_BYTES)) ?? '');
  } catch (error) {
    if (error instanceof PathRefused || error instanceof FileTooLarge) return '';
    throw error;
  }
}

async function replace(folder: string, files: readonly Replaced[]): Promise<void> {
  for (const { path, content, mode } of files) {
    await rm(join(folder, path), { force: true });
    await writeFile(join(folder, path), content, { flag: 'wx', mode });
  }
}

/** A run that is to fail is no outcome of the check. */
async function runLabelled(
  { proof: _, ...host }: HostRun,
  criterion: Runnable,
  { checkout, lent }: Place,
  plain: CheckRun | undefined,
  label: string,
): Promise<ChangedRun> {
  // Its setup is another call than that of the run before.
  const own = { ...host, prefix: `${host.prefix}.${label}` };
  const setup = await runSetup(own, criterion, { checkout, lent }, WHERE);
  if (setup !== null && !setup.last.isMet) {
    return { ...setup.last, tookMs: durationOf(setup.last) };
  }
  const known = plain === undefined ? {} : { plain };
  const attempt = async (number: number, before: number): Promise<ChangedRun> => {
    const unique = number === 1 ? label : `${label}.${number}`;
    const manner = { ...known, endsAfterTests: true };
    const ran = await runAsHost(own, { ...criterion, checkout, lent, ...manner, label: unique });
    const tookMs = before + durationOf(ran);
    const isLast = ran.isMet || ran.wasEnded || number >= attemptsOf(criterion);
    return isLast ? { ...ran, tookMs } : await attempt(number + 1, tookMs);
  };
  return await attempt(1, setup === null ? 0 : durationOf(setup.last));
}

const durationOf = ({ row }: CheckRun): number => row.receipt?.durationMs ?? 0;

const attemptsOf = ({ spec }: Runnable): number =>
  spec.kind === 'command' ? (spec.attempts ?? 1) : 1;

async function wereTold({ ports }: HostRun, goalId: string, { criterionId }: Runnable) {
  const baselines = await ports.proofs.baselines(goalId);
  const known = baselines.find((one) => one.criterionId === criterionId);
  return known?.report?.hasNames === true;
}
