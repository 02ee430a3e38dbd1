import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Lent } from '../contract/effects.ts';
import { type Mount, writable } from './mounts.ts';

/** Each mount costs a look at all of them: a thousand take most of a second. */
const MOST_ENTRIES = 800;

/**
 * Shows a folder of the workspace for reading, in a folder that may be written: tools make caches
 * beside installed packages. The next run sees nothing of what one wrote there.
 */
export async function loanOf(
  root: string,
  home: string,
  { at, from, fresh, open = [] }: Lent,
): Promise<Mount[]> {
  const place = join(root, at);
  const own = await freshFolder(home, at);
  const mounts = await entriesOf({ place, own, from }, fresh, open);
  if (mounts.length > MOST_ENTRIES) {
    return await loanAsAWhole(place, await freshFolder(home, at), from, fresh);
  }
  for (const name of fresh) await mkdir(join(own, name));
  return mounts;
}

interface Folder {
  /** Where it shows. */
  readonly place: string;
  /** What is written goes here. */
  readonly own: string;
  /** What is read comes from here. */
  readonly from: string;
}

async function entriesOf(
  { place, own, from }: Folder,
  fresh: readonly string[],
  open: readonly string[],
): Promise<Mount[]> {
  const mounts: Mount[] = [writable(place, own)];
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const { name } = entry;
    if (fresh.includes(name)) continue;
    const inner = { place: join(place, name), own: join(own, name), from: join(from, name) };
    if (entry.isSymbolicLink()) await symlink(await readlink(inner.from), inner.own);
    else if (open.includes(name)) {
      await mkdir(inner.own);
      mounts.push(...(await entriesOf(inner, [], [])));
    } else mounts.push({ kind: 'readable', at: inner.place, from: inner.from });
  }
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
    { kind: 'readable', at: place, from },
    ...fresh.map((name) => writable(join(place, name), join(own, name))),
  ];
}

/** One of its own for each run, which needs nothing of an earlier one to be removed first. */
async function freshFolder(home: string, at: string): Promise<string> {
  const folder = join(home, 'fresh', randomUUID(), at);
  await mkdir(folder, { recursive: true });
  return folder;
}
