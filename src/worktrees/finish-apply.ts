import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppliedBranch } from '../../schema/applied-branch.ts';
import type { AppliesOnHost, ApplyGround, ApplyRef } from '../contract/applies.ts';
import type { EffectsHost } from '../contract/effects.ts';
import { Refusal } from '../contract/failures.ts';
import { writePrivateFile } from '../process/private-file.ts';
import { type ApplyPlan, carryOutPlan, isBegun, planApply, refusedByGit } from './apply-branch.ts';

export interface ApplyHost extends EffectsHost {
  readonly applies: AppliesOnHost;
  /** The service's own folder. */
  readonly home: string;
  readonly host: string;
  readonly workerId: string;
}

const folderOf = (home: string): string => join(home, 'applies');
const fileOf = (home: string, { commitId }: Pick<ApplyRef, 'commitId'>): string =>
  join(folderOf(home), `${commitId}.json`);

/**
 * Brings a branch into its workspace, or goes on with it. What is planned is written down before
 * anything changes; whoever takes the workspace back finds it there, and ends it first.
 */
export async function applyBranch(
  host: ApplyHost,
  ref: ApplyRef,
  signal: AbortSignal,
): Promise<AppliedBranch> {
  const ground = await host.applies.take(ref, host);
  if (ground.formerHelper !== null) await host.endHelper(ground.formerHelper);
  const left = await readPlan(host.home, ref);
  if (left !== null && (await isBegun(left))) return await endOrLeave(host, ref, left, signal);
  const plan = await untilPlanned(host, ref, () =>
    planApply(ground, host.applies.endOf).catch(asRefusal(ground)),
  );
  if (typeof plan !== 'string') {
    writePrivateFile(fileOf(host.home, ref), JSON.stringify({ ref, plan }));
    return await endOrLeave(host, ref, plan, signal);
  }
  const { goalId, branch, workspace } = ground;
  const there = { goalId, branch, workspace: workspace.name, from: plan, commit: plan };
  const applied = { ...there, files: 0, isNew: false, left: [] };
  await host.applies.tellApplied(ref, applied);
  return applied;
}

const OF_GIT: readonly string[] = ['WorktreeFailed', 'GitSilent', 'StoreFailed'];

const asRefusal =
  ({ workspace, branch }: ApplyGround) =>
  (error: Error): never => {
    throw OF_GIT.includes(error.name) ? refusedByGit(branch, workspace, error) : error;
  };

/** Nothing has changed by then, so nobody has to wait for a next try. */
async function untilPlanned<Plan>(
  { applies }: ApplyHost,
  ref: ApplyRef,
  plan: () => Promise<Plan>,
): Promise<Plan> {
  try {
    return await plan();
  } catch (error) {
    await applies.giveBack(ref);
    throw error;
  }
}

/** The leases stay where it is cut off: the reconciler of the host ends it, and then gives them back. */
async function end(
  host: ApplyHost,
  ref: ApplyRef,
  plan: ApplyPlan,
  signal: AbortSignal,
): Promise<AppliedBranch> {
  const effects = host.startEffects(
    (helper) => host.applies.recordHelper(ref, helper),
    async () => ({ goalId: ref.goalId, workspace: plan.workspace.path, network: 'none' }),
  );
  try {
    const applied = await carryOutPlan(plan, { effects, signal });
    await host.applies.tellApplied(ref, applied);
    await rm(fileOf(host.home, ref), { force: true });
    return applied;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Nothing was changed.
    await rm(fileOf(host.home, ref), { force: true });
    await host.applies.giveBack(ref);
    throw error;
  } finally {
    await effects.close();
  }
}

/** What git refuses once the branch has moved is ended by the reconciler, as soon as git takes it. */
async function endOrLeave(
  host: ApplyHost,
  ref: ApplyRef,
  plan: ApplyPlan,
  signal: AbortSignal,
): Promise<AppliedBranch> {
  try {
    return await end(host, ref, plan, signal);
  } catch (error) {
    const { name, message } = error as Error;
    if (signal.aborted || !OF_GIT.includes(name) || !(await isBegun(plan))) throw error;
    await host.applies.leave(ref);
    throw new Refusal(
      'cannot_apply',
      `${plan.workspace.name} has ${plan.branch}, but git could not tell its index so: ${message}. That is done by itself once git takes it; nobody works there until then. Look at the repository in ${plan.workspace.path}.`,
      { field: 'workspace', problem: 'unfinished' },
    );
  }
}

/** Ends what a worker left half done; a plan of which nothing is done yet is dropped. */
export async function finishApply(host: ApplyHost, commitId: string): Promise<void> {
  const found = await readStored(fileOf(host.home, { commitId }));
  if (found === null) return;
  const { ref, plan } = found;
  if (await isBegun(plan)) {
    await end(host, ref, plan, new AbortController().signal).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
  } else {
    await rm(fileOf(host.home, ref), { force: true });
  }
}

interface Stored {
  readonly ref: ApplyRef;
  readonly plan: ApplyPlan;
}

const readPlan = async (home: string, ref: ApplyRef): Promise<ApplyPlan | null> =>
  (await readStored(fileOf(home, ref)))?.plan ?? null;

async function readStored(path: string): Promise<Stored | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : (JSON.parse(text) as Stored);
}
