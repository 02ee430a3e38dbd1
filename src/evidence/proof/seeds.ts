import { basename, join } from 'node:path';
import type { EffectsPort } from '../../contract/effects.ts';
import { CommandsRefused } from '../../contract/failures.ts';
import { commandUser } from '../../sandbox/command-user.ts';
import { removeTree } from '../../sandbox/remove-tree.ts';
import { toolchainsOf } from '../../sandbox/seeds/all.ts';
import { seedKey } from '../../sandbox/seeds/seed-key.ts';
import { findSeed, isThere, keepSeed, openSeedRoom } from '../../sandbox/seeds/seed-store.ts';
import type { Toolchain } from '../../sandbox/seeds/toolchain.ts';
import type { HostRun } from '../host-run.ts';

export interface Seed {
  readonly toolchain: Toolchain;
  readonly at: string;
}

const TIMEOUT_MS = 600_000;
const MOST_OUTPUT_BYTES = 64 * 1024;

/** This process makes them, and nobody waits for that; or it could not make them, and tries no more. */
const begun = new Set<string>();

/** The parts of a `HostRun` that it takes. */
interface SeedOrder extends Pick<HostRun, 'workspace' | 'signal'> {
  readonly ports: Pick<HostRun['ports'], 'seeds'>;
  readonly attempt: { readonly effects: Pick<EffectsPort, 'runCommand'> };
}

/**
 * The seeds for a tree of these files. One that is missing is made first, of nothing but the
 * toolchain; where that can't be done, the tree has none, and its checks take longer.
 *
 * @param caches what builds of the original kept; a place that lies there began as the seed
 */
export async function seedsFor(
  order: SeedOrder,
  paths: Iterable<string>,
  caches: string,
): Promise<Seed[]> {
  const { seeds } = order.ports;
  if (seeds === undefined) return [];
  const names = new Set([...paths].map((path) => basename(path)));
  const user = await commandUser(order.workspace);
  const found: Seed[] = [];
  for (const toolchain of toolchainsOf(names)) {
    const key = seedKey(toolchain, user);
    const known = await Promise.all(toolchain.places.map((place) => isThere(join(caches, place))));
    if (key === null || known.every(Boolean)) continue;
    const at = (await findSeed(seeds, key)) ?? (await make(order, seeds, key, toolchain));
    if (at !== null) found.push({ toolchain, at });
  }
  return found;
}

async function make(
  order: SeedOrder,
  seeds: string,
  key: string,
  toolchain: Toolchain,
): Promise<string | null> {
  const name = join(seeds, key);
  if (begun.has(name)) return null;
  begun.add(name);
  try {
    if (!(await makeIn(order, seeds, key, toolchain))) return null;
    begun.delete(name);
    return await findSeed(seeds, key);
  } catch (error) {
    // The goal was cancelled, or lost what runs its commands.
    begun.delete(name);
    if (error instanceof CommandsRefused) return null;
    throw error;
  }
}

/** Nothing of the workspace is there: the folder that stands in its place is empty. */
async function makeIn(
  { attempt, signal }: SeedOrder,
  seeds: string,
  key: string,
  toolchain: Toolchain,
): Promise<boolean> {
  const room = await openSeedRoom(seeds, key).catch(() => null);
  if (room === null) return false;
  const { folder, tree: root, home } = room;
  const reach = { root, home, isInPlace: true, isClean: true, isSealed: true, lent: [] };
  const run = (command: string) =>
    attempt.effects.runCommand({
      ...{ command, cwd: root, reach, signal },
      ...{ timeoutMs: TIMEOUT_MS, maxOutputBytes: MOST_OUTPUT_BYTES, printsFreely: true },
    });
  try {
    // Without a sandbox, the home of commands is a person's own.
    if ((await run('true')).isolation === 'none') return false;
    signal.throwIfAborted();
    const { ended, exitCode } = await run(toolchain.command);
    signal.throwIfAborted();
    if (ended !== 'exited' || exitCode !== 0) return false;
    return await keepSeed(seeds, key, room, toolchain).then(
      () => true,
      () => false,
    );
  } finally {
    await removeTree(folder).catch(() => {});
  }
}
