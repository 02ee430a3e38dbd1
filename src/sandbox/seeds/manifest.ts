import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** By path, the stamp of a file; empty for a folder. */
export type Manifest = Readonly<Record<string, string>>;

/** Looks of one turn of the event loop. */
const AT_ONCE = 500;

export class NoSeed extends Error {}

/**
 * What lies in the folder. A change time can't be set back by a program, so whoever changes a file
 * later, or puts another one in its place, leaves another stamp. Reading the contents would find no
 * more than that, and take as long as copying them.
 *
 * @throws NoSeed where anything but files and folders lies there, or too much
 */
export async function manifestOf(folder: string, mostBytes: number): Promise<Manifest> {
  const found: Record<string, string> = {};
  let looks = 0;
  let bytes = 0;
  const visit = async (inside: string): Promise<void> => {
    for (const name of readdirSync(join(folder, inside))) {
      if (++looks % AT_ONCE === 0) await nextTurn();
      const path = join(inside, name);
      const stats = lstatSync(join(folder, path), { bigint: true });
      if (stats.isDirectory()) {
        found[path] = '';
        await visit(path);
      } else if (stats.isFile()) {
        bytes += Number(stats.size);
        if (bytes > mostBytes) throw new NoSeed('it is too large');
        found[path] = `${stats.size} ${stats.ino} ${stats.ctimeNs}`;
      } else throw new NoSeed(`${path} is neither a file nor a folder`);
    }
  };
  await visit('');
  return found;
}

export function isSame(one: Manifest, other: Manifest): boolean {
  const paths = Object.keys(one);
  return (
    paths.length === Object.keys(other).length && paths.every((path) => one[path] === other[path])
  );
}
