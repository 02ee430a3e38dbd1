import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorePlace } from '../../checkpoints/store-git.ts';
import type { Lent } from '../../contract/effects.ts';
import type { Setup } from '../../proof/setup/setup.ts';
import { type InstalledFolder, installedFolders } from '../../proof-place/dependencies.ts';
import { keepCaches } from '../../proof-place/home-caches.ts';
import { layOut, listOf } from '../../proof-place/place.ts';
import { findSetup, homeOfSetup, keepSetup, openSetup } from '../../proof-place/setup-store.ts';
import { ownerOf } from '../../sandbox/command-user.ts';
import { removeTree } from '../../sandbox/remove-tree.ts';
import type { Attempts } from '../attempt-outcome.ts';
import { homeOfCheckout } from '../checkout.ts';
import { type HostRun, runAsHost } from '../host-run.ts';
import type { ProofTree } from './proof-tree.ts';
import { planSetups, type SetupPlan } from './setup-plans.ts';

export interface SetUp {
  readonly lent: readonly Lent[];
  /** Homes whose caches a run begins with. */
  readonly homes: readonly string[];
  /** Why packages are missing, for people. */
  readonly problem: string | null;
}

const TIMEOUT_SECONDS = 900;
/** More packages are not named. */
const MOST_NAMED = 5;

function notAllowed({ missing: { packages, by } }: SetupPlan): string {
  const names = packages.slice(0, MOST_NAMED).map(({ name, version }) => `${name}@${version}`);
  const more = packages.length > MOST_NAMED ? ` and ${packages.length - MOST_NAMED} more` : '';
  return `${names.join(', ')}${more} of ${by.join(' and ')} ${packages.length === 1 ? 'is' : 'are'} not installed: nobody allowed it (--allow-dependencies, or accept these files)`;
}

/**
 * The packages of a tree: those of the workspace that are as they were at the start, and what setups
 * install where these can't be lent.
 */
export async function setUp(host: HostRun, tree: ProofTree): Promise<SetUp> {
  const fromWorkspace = tree.packages.map(({ lent }) => lent);
  const lent: Lent[] = [];
  const homes: string[] = [];
  const problems: string[] = [];
  for (const plan of await planSetups(tree)) {
    if (plan.added.length === 0 && isLent(plan, fromWorkspace)) continue;
    if (plan.missing.packages.length > 0) problems.push(notAllowed(plan));
    const made = await resultOf(host, tree.store, plan);
    if (typeof made === 'string') problems.push(made);
    else {
      lent.push(...made.lent);
      homes.push(made.home);
    }
  }
  const isOwn = ({ at }: Lent) => lent.some((one) => one.at === at || at.startsWith(`${one.at}/`));
  return {
    homes,
    lent: [...fromWorkspace.filter((one) => !isOwn(one)), ...lent],
    problem: problems.length === 0 ? null : problems.join('; '),
  };
}

/** What a person declared stands for any packages. */
export function isLent({ tool, installs }: Setup, lent: readonly Pick<Lent, 'at'>[]): boolean {
  return tool === 'declared' ? lent.length > 0 : lent.some(({ at }) => at === installs);
}

/** What ended badly is not tried again by the same attempt. */
const failures = new WeakMap<HostRun['attempt'], Map<string, string>>();

/** The result of a setup. */
interface Installed extends Pick<SetUp, 'lent'> {
  /** The folder that it ran in, as it is kept. */
  readonly at: string;
  readonly home: string;
}

/** @returns a text where it failed, for people */
export async function resultOf(
  host: HostRun,
  store: StorePlace,
  plan: SetupPlan,
): Promise<Installed | string> {
  const { home } = host.ports;
  const known = failures.get(host.attempt) ?? new Map<string, string>();
  failures.set(host.attempt, known);
  const failed = known.get(plan.digest);
  if (failed !== undefined) return failed;
  const kept = await findSetup(home, plan.digest);
  const { at, problem } =
    kept === null ? await run(host, store, plan) : { at: kept, problem: null };
  if (at === null) {
    known.set(plan.digest, problem);
    return problem;
  }
  const folders = installedFolders(at, { entries: plan.files });
  const lent = folders.map((folder) => ({ at: folder, from: join(at, folder), fresh: [] }));
  return { at, lent, home: homeOfSetup(at) };
}

/** What setups of a tree installed before, as they are kept. */
export async function keptPackages(home: string, tree: ProofTree): Promise<InstalledFolder[]> {
  const found: InstalledFolder[] = [];
  for (const { digest, files } of await planSetups(tree)) {
    const at = await findSetup(home, digest);
    if (at === null) continue;
    for (const folder of installedFolders(at, { entries: files })) {
      found.push({ lent: { at: folder, from: join(at, folder), fresh: [] }, digest });
    }
  }
  return found;
}

type Made =
  | { readonly at: string; readonly problem: null }
  | { readonly at: null; readonly problem: string };

/** Runs where only its own files lie, and nothing that the goal wrote. */
async function run(
  { proof: _, watch: __, ...host }: HostRun,
  store: StorePlace,
  { digest, files, folder, command }: SetupPlan,
): Promise<Made> {
  const place = await openSetup(host.ports.home, digest);
  const spec = {
    ...{ kind: 'command' as const, command, timeoutSeconds: TIMEOUT_SECONDS },
    ...(folder !== '' && { cwd: folder }),
  };
  try {
    await layOut(place, store, files, await ownerOf(host.workspace));
    const order = { criterionId: 'setup', label: digest.slice(0, 12), spec, checkout: place };
    const ran = await runAsHost(host, { ...order, lent: [], isSetup: true });
    const where = folder === '' ? '' : ` in ${folder}`;
    if (!ran.isMet)
      return { at: null, problem: `its setup, \`${command}\`${where}, ${ran.reason}` };
    await keepCaches(join(homeOfCheckout(place), 'home'), homeOfSetup(place));
    return { at: await keepSetup(host.ports.home, digest, place), problem: null };
  } finally {
    await rm(listOf(place), { force: true });
    await removeTree(place);
    await removeTree(homeOfCheckout(place));
  }
}

/** A check that fails without its packages says nothing about the work. */
export function afterSetup({ problem }: Pick<SetUp, 'problem'>, ran: Attempts): Attempts {
  if (problem === null || ran.last.isMet) return ran;
  return {
    ...ran,
    last: { ...ran.last, couldNotRun: true },
    reason: `${problem}; without it, ${ran.reason}`,
  };
}
