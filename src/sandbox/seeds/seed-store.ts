import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { handOver, isRoot } from '../command-user.ts';
import { hostProgram } from '../program-path.ts';
import { removeTree } from '../remove-tree.ts';
import { isSame, type Manifest, manifestOf, NoSeed } from './manifest.ts';
import type { Toolchain } from './toolchain.ts';

const run = promisify(execFile);

const DAY_MS = 86_400_000;
const KEPT_DAYS = 14;
/** Those that were used last stay. */
const MOST_SEEDS = 4;
const MOST_BYTES = 1024 * 1024 * 1024;

/** Where seeds are kept. No sandbox shows it, but the folder of one that is being made. */
export const seedsFolder = (serviceHome: string): string => join(serviceHome, 'seeds');

const contentOf = (seed: string): string => join(seed, 'home');
const manifestIn = (seed: string): string => join(seed, 'manifest.json');

/** The seed of this key, if one is kept and is as it was made. A damaged one is removed. */
export async function findSeed(seeds: string, key: string): Promise<string | null> {
  const seed = join(seeds, key);
  const kept = await readManifest(seed);
  if (kept === null) return null;
  const now = await manifestOf(contentOf(seed), MOST_BYTES).catch(() => null);
  if (now === null || !isSame(kept, now)) {
    await removeSeed(seeds, key);
    return null;
  }
  const used = new Date();
  await utimes(seed, used, used).catch(() => {});
  return seed;
}

/** Null as well where a folder lies there that is no seed; that one is removed. */
async function readManifest(seed: string): Promise<Manifest | null> {
  if ((await lstat(seed).catch(() => null)) === null) return null;
  try {
    return JSON.parse(await readFile(manifestIn(seed), 'utf8')) as Manifest;
  } catch {
    await removeSeed(dirname(seed), basename(seed));
    return null;
  }
}

/** The folders in which one is made. */
export interface SeedRoom {
  readonly folder: string;
  /** Empty: what a project's files would be. */
  readonly tree: string;
  /** Holds a home and a temporary folder. */
  readonly home: string;
}

export async function openSeedRoom(seeds: string, key: string): Promise<SeedRoom> {
  await mkdir(seeds, { recursive: true, mode: 0o700 });
  const folder = join(seeds, `${key}.${randomUUID()}`);
  const room = { folder, tree: join(folder, 'tree'), home: join(folder, 'run') };
  await mkdir(room.tree, { recursive: true, mode: 0o700 });
  return room;
}

/**
 * Keeps what a command left in the places of its home, and nothing else of it. It stands under its
 * name only when it is whole and on the disk. If two were made at once, the first one stays.
 *
 * @throws NoSeed where it is not to be kept
 */
export async function keepSeed(
  seeds: string,
  key: string,
  { folder, home }: SeedRoom,
  { places }: Pick<Toolchain, 'places'>,
): Promise<void> {
  const seed = join(folder, 'seed');
  for (const place of places) {
    const made = join(home, 'home', place);
    if (!(await isFolder(made))) throw new NoSeed(`nothing lies in ${place}`);
    await mkdir(dirname(join(contentOf(seed), place)), { recursive: true, mode: 0o700 });
    await rename(made, join(contentOf(seed), place));
  }
  // Its user ran nothing but the toolchain, and gets no more to it.
  if (isRoot()) await handOver({ uid: 0, gid: 0 }, [...places.map((at) => join(seed, 'home', at))]);
  await writeFile(manifestIn(seed), JSON.stringify(await manifestOf(contentOf(seed), MOST_BYTES)));
  await run(hostProgram('sync'), ['-f', seed]);
  await rename(seed, join(seeds, key)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  await sweepSeeds(seeds);
}

/**
 * Each home has a copy of its own, never the same file under two names. Its files are new, as Go
 * removes old ones from its cache. Where it can't be copied, the home begins without.
 *
 * @param home nothing lies in its places yet
 */
export async function fillFromSeed(
  seed: string,
  { places }: Pick<Toolchain, 'places'>,
  home: string,
): Promise<void> {
  for (const place of places) {
    await copy(join(contentOf(seed), place), join(home, place));
  }
}

async function copy(from: string, to: string): Promise<void> {
  try {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await run(hostProgram('cp'), ['-r', '--reflink=auto', '-T', '--', from, to]);
  } catch {
    // Another worker may just have removed it, or the disk is full.
    await removeTree(to);
  }
}

/** Removes what nobody used for long, what is too many, and what a dead worker left. */
export async function sweepSeeds(seeds: string): Promise<void> {
  const kept: { readonly name: string; readonly usedAt: number }[] = [];
  for (const name of await readdir(seeds).catch(() => [])) {
    const stats = await lstat(join(seeds, name)).catch(() => null);
    if (stats === null) continue;
    const isRoom = name.includes('.');
    const age = Date.now() - stats.mtimeMs;
    if (age > (isRoom ? 1 : KEPT_DAYS) * DAY_MS) await removeSeed(seeds, name);
    else if (!isRoom) kept.push({ name, usedAt: stats.mtimeMs });
  }
  kept.sort((one, other) => other.usedAt - one.usedAt);
  for (const { name } of kept.slice(MOST_SEEDS)) await removeSeed(seeds, name);
}

/** Under another name first: whoever looks meanwhile finds all of it or nothing. */
async function removeSeed(seeds: string, name: string): Promise<void> {
  const aside = join(seeds, `${name}.${randomUUID()}`);
  const isAside = await rename(join(seeds, name), aside).then(
    () => true,
    () => false,
  );
  if (isAside) await removeTree(aside).catch(() => {});
}

export const isThere = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null)) !== null;

const isFolder = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null))?.isDirectory() === true;
