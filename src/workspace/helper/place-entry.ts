import { createHash, randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, open, rename, rm, rmdir, symlink, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { PlaceOrder, PlaceOutcome } from '../../contract/effects.ts';
import { type Folder, giveToOwner, openFolder } from './write-file.ts';

/** Puts a checkpoint's entry at its path. The replacement is atomic. */
export async function placeEntry(order: PlaceOrder): Promise<PlaceOutcome> {
  const { root, path, entry } = order;
  try {
    if (entry === null) return await takeAway(order);
    const folder = await openFolder(dirname(join(root, path)));
    if (folder === null) return kept('something else than a folder is in the way');
    try {
      return await put(folder, basename(path), entry, order.was);
    } finally {
      await folder.handle.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || code === 'ENOSPC' || code === 'EIO') throw error;
    return kept(code);
  }
}

const kept = (why: string): PlaceOutcome => ({ kind: 'kept', why });

const CHANGED = 'it was changed while the rewind was under way';

/** By all but the time of its last change of any kind: that moves with other names of the file. */
function isStill(was: PlaceOrder['was'], there: Stats | null): boolean {
  if (was === undefined) return true;
  const isNothing = there === null || there.isDirectory();
  if (was === null || isNothing) return was === null && isNothing;
  const [ino, , mtimeMs, size] = was.split(' ').map(Number);
  return there.ino === ino && there.mtimeMs === mtimeMs && there.size === size;
}

type Entry = NonNullable<PlaceOrder['entry']>;

async function put(
  folder: Folder,
  name: string,
  entry: Entry,
  was: PlaceOrder['was'],
): Promise<PlaceOutcome> {
  const temp = folder.at(tempName(name));
  const target = folder.at(name);
  try {
    if (entry.kind === 'link') await symlink(Buffer.from(entry.content), temp);
    else await fill(temp, entry, folder);
    const there = await lstat(target).catch(() => null);
    if (!isStill(was, there)) return kept(CHANGED);
    // Only an empty folder is removed, because no checkpoint holds its other entries.
    if (there?.isDirectory()) await rmdir(target);
    await rename(temp, target);
    await folder.handle.sync();
    return { kind: 'placed' };
  } finally {
    await rm(temp, { force: true });
  }
}

async function fill(temp: string, { mode, content }: Entry, folder: Folder): Promise<void> {
  const file = await open(temp, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await giveToOwner(file, folder);
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Looks like those of other writes, which no fingerprint counts and which are swept when left. */
function tempName(name: string): string {
  const hash = createHash('sha256').update(`${randomUUID()}\0${name}`).digest('hex');
  return `.goalkeeper-${hash.slice(0, 16)}.tmp`;
}

/** Removes the entry, and the folders that it leaves empty. */
async function takeAway({ root, path, was }: PlaceOrder): Promise<PlaceOutcome> {
  const there = await lstat(join(root, path)).catch(() => null);
  if (there === null) return { kind: 'placed' };
  if (there.isDirectory()) return kept('it is a folder by now');
  if (!isStill(was, there)) return kept(CHANGED);
  const isGone = await inFolderOf(root, path, (at) => unlink(at));
  if (!isGone) return kept('something else than a folder is in the way');
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const isEmpty = await inFolderOf(root, folder, (at) => rmdir(at)).catch(() => false);
    if (!isEmpty) break;
  }
  return { kind: 'placed' };
}

async function inFolderOf(
  root: string,
  path: string,
  act: (at: string) => Promise<void>,
): Promise<boolean> {
  const folder = await openFolder(dirname(join(root, path)));
  if (folder === null) return false;
  try {
    await act(folder.at(basename(path)));
    return true;
  } finally {
    await folder.handle.close();
  }
}
