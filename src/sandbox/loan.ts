import { mkdir, readdir, readlink, realpath, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Lent } from '../contract/effects.ts';
import { type Mount, writable } from './mounts.ts';

/** Each mount costs a look at all of them: a thousand take most of a second. */
const MOST_ENTRIES = 800;

/**
 * Shows a folder of the workspace for reading, in a folder that may be written: tools make caches
 * beside installed packages. What a run writes there is gone with the next one.
 */
export async function loanOf(
  root: string,
  home: string,
  { at, from, fresh }: Lent,
): Promise<Mount[]> {
  const place = join(root, at);
  const own = join(home, 'fresh', at);
  await rm(own, { recursive: true, force: true });
  await mkdir(own, { recursive: true });
  const entries = await readdir(from, { withFileTypes: true });
  const lent = entries.filter(({ name }) => !fresh.includes(name));
  if (lent.length > MOST_ENTRIES) return await loanAsAWhole(place, own, from, fresh);
  const mounts: Mount[] = [writable(place, own)];
  for (const entry of lent) {
    const path = join(from, entry.name);
    if (entry.isSymbolicLink()) await symlink(await readlink(path), join(own, entry.name));
    else mounts.push({ kind: 'readable', at: join(place, entry.name), from: path });
  }
  for (const name of fresh) await mkdir(join(own, name));
  return mounts;
}

async function loanAsAWhole(
  place: string,
  own: string,
  from: string,
  fresh: readonly string[],
): Promise<Mount[]> {
  for (const name of fresh) await mkdir(join(own, name));
  return [
    { kind: 'readable', at: place, from: await realpath(from) },
    ...fresh.map((name) => writable(join(place, name), join(own, name))),
  ];
}
