import { chmod, lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import { bytePathOf, placeIn, unlessGone } from './byte-paths.ts';

/** Takes all of it away, whatever modes its folders have and whatever bytes its names are. */
export async function removeTree(path: string | Buffer): Promise<void> {
  const stats = await unlessGone(lstat(path));
  if (stats === null) return;
  if (!stats.isDirectory()) return await unlink(path);
  await emptyFolder(path);
  await rmdir(path);
}

/** Takes away what it holds, but what bears one of these names. */
export async function emptyFolder(
  path: string | Buffer,
  isKept: (name: string) => boolean = () => false,
): Promise<void> {
  await chmod(path, 0o700);
  for (const name of await readdir(path, { encoding: 'buffer' })) {
    if (!isKept(name.toString())) await removeTree(placeIn(path, bytePathOf(name)));
  }
}
