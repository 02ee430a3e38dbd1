import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Lent } from '../../contract/effects.ts';
import { fillCaches, keepCaches } from '../../proof-place/home-caches.ts';
import { proofFolder } from '../../proof-place/original.ts';
import { layOut, listOf } from '../../proof-place/place.ts';
import { ownerOf, passageMode } from '../../sandbox/command-user.ts';
import { removeTree } from '../../sandbox/remove-tree.ts';
import { fillFromSeed } from '../../sandbox/seeds/seed-store.ts';
import { homeOfCheckout } from '../checkout.ts';
import type { HostRun } from '../host-run.ts';
import type { ProofTree } from './proof-tree.ts';
import { seedsFor } from './seeds.ts';
import { type SetUp, setUp } from './setup.ts';

/** Where a check runs instead of in the workspace, and the folders of packages in it. */
export interface Place {
  readonly checkout: string;
  readonly lent: readonly Lent[];
  /** Why packages are missing. */
  readonly problem: string | null;
}

/**
 * Lays this tree out and nothing else, in a folder that no command of the goal reaches, with a home
 * of its own. The folder shows at the workspace's path, so that what was installed there works, and
 * the workspace itself shows nowhere.
 */
export async function inPlace<Result>(
  host: HostRun,
  goalId: string,
  tree: ProofTree,
  use: (place: Place) => Promise<Result>,
): Promise<Result> {
  const { store, entries } = tree;
  const ready = tree.setup === undefined ? asLent(tree) : await setUp(host, tree);
  const folder = proofFolder(host.ports.home, goalId);
  const caches = join(folder, 'caches');
  const seeds = await seedsFor(host, entries.keys(), caches);
  const checkout = await takePlace(folder, host.attempt.fence.token);
  const home = homeOfCheckout(checkout);
  await clearHome(home);
  await layOut(checkout, store, entries, await ownerOf(host.workspace));
  for (const { at, toolchain } of seeds) await fillFromSeed(at, toolchain, join(home, 'home'));
  for (const from of [...ready.homes, caches]) await fillCaches(from, join(home, 'home'));
  const folders = new Set([...entries.keys()].flatMap(foldersAbove));
  const lent = ready.lent.filter(({ at }) => folders.has(dirname(at)));
  try {
    const result = await use({ checkout, lent, problem: ready.problem });
    if (tree.keepsCaches === true) await keepCaches(join(home, 'home'), caches);
    return result;
  } finally {
    await clearHome(home);
  }
}

const asLent = ({ packages }: ProofTree): SetUp => ({
  lent: packages.map(({ lent }) => lent),
  homes: [],
  problem: null,
});

/**
 * Each attempt has a place of its own, which begins as the one of the attempt before: a worker that
 * thaws after it was replaced finds no folder of its name any more.
 */
async function takePlace(folder: string, token: number): Promise<string> {
  await mkdir(folder, { recursive: true, mode: passageMode() });
  const own = `place-${token}`;
  const names = await readdir(folder);
  const places = names.filter((name) => /^place-\d+$/.test(name));
  for (const name of names.includes(own) ? [] : places.slice(0, 1)) {
    await rename(join(folder, name), join(folder, own));
    await rename(listOf(join(folder, name)), listOf(join(folder, own))).catch(unlessGone);
  }
  return join(folder, own);
}

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); ; at = dirname(at)) {
    folders.push(at);
    if (at === '.') return folders;
  }
}

/** A run may close its home to removal; under another name it is nobody's home any more. */
async function clearHome(home: string): Promise<void> {
  const aside = `${home}.${randomUUID()}`;
  const isThere = await rename(home, aside).then(() => true, unlessGone);
  if (isThere === true) await removeTree(aside);
}
