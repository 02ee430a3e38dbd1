import { lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorePlace } from './store-git.ts';

const CONFIGURATION = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n';

export const storesOf = (home: string): string => join(home, 'checkpoints');

export const storeOf = (home: string, goalId: string): StorePlace => ({
  folder: join(storesOf(home), goalId),
});

export async function hasStore({ folder }: StorePlace): Promise<boolean> {
  return (await lstat(join(folder, 'HEAD')).catch(() => null)) !== null;
}

/** Renamed into place, so that a half-made one is never used. */
export async function openStore(place: StorePlace): Promise<void> {
  if (await hasStore(place)) return;
  const scratch = `${place.folder}.${process.pid}.${Date.now()}`;
  await mkdir(join(scratch, 'objects'), { recursive: true, mode: 0o700 });
  await mkdir(join(scratch, 'refs'));
  await writeFile(join(scratch, 'config'), CONFIGURATION);
  await writeFile(join(scratch, 'HEAD'), 'ref: refs/heads/none\n');
  await rename(scratch, place.folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(scratch, { recursive: true, force: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
}

/** An import that goes on touches its files more often. */
const LEFT_AFTER_MS = 30 * 60_000;

/** Removes what an import left in a store that was cut off: parts of packs, reports, locks. */
export async function clearLeftovers({ folder }: StorePlace): Promise<void> {
  const places: [string, RegExp][] = [
    [join(folder, 'objects', 'pack'), /^tmp_/],
    [join(folder, 'objects'), /^tmp_/],
    [join(folder, 'refs', 'checkpoints'), /\.lock$/],
    [folder, /^(?:fast_import_crash_|known\.json\.gz\.)/],
  ];
  for (const [place, pattern] of places) {
    const names = await readdir(place).catch(() => []);
    for (const name of names.filter((one) => pattern.test(one))) {
      await removeIfLeft(join(place, name), LEFT_AFTER_MS);
    }
  }
}

/** Removes a path that has not been touched for `afterMs`: its maker has died. */
export async function removeIfLeft(path: string, afterMs: number): Promise<void> {
  const stats = await lstat(path).catch(() => null);
  if (stats === null || Date.now() - stats.mtimeMs < afterMs) return;
  await rm(path, { recursive: true, force: true });
}

/** What a store grows by: the bytes of its packs, and objects in files of their own, by a sample. */
export async function sizeOfStore({
  folder,
}: StorePlace): Promise<{ bytes: number; packs: number; loose: number }> {
  const packs = join(folder, 'objects', 'pack');
  const names = await readdir(packs).catch(() => []);
  const sizes = await Promise.all(
    // An interrupted import's leftovers don't count as packs.
    names
      .filter((name) => !name.startsWith('tmp_'))
      .map(async (name) => (await lstat(join(packs, name)).catch(() => null))?.size ?? 0),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const sample = await readdir(join(folder, 'objects', '17')).catch(() => []);
  const loose = sample.length * 256;
  return { bytes, packs: names.filter((name) => name.endsWith('.pack')).length, loose };
}
