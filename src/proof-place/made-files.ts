import { type FSWatcher, mkdirSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { statsOf } from '../process/stats-of.ts';
import { isBuiltPlace, isBuiltScratch } from '../proof/scope/built-places.ts';

/** Files of one new folder that are named; beyond that the folder stands for them. */
const MOST_FILES = 1000;

/**
 * Watches the folders that a run is given and its home, whose names begin with `~/`. The kernel
 * tells of each name that comes up, so that a file which is gone by the end is seen as well.
 *
 * @returns what ends it, and names the files, and folders (with `/`) whose files are not known
 */
export function watchMade(
  root: string,
  folders: Iterable<string>,
  home: string,
): () => Promise<string[]> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const names = new Set<string>();
  const watchers: FSWatcher[] = [];
  const look = (at: string, shown: string) => {
    const seen = (event: string, name: string | null) => {
      if (event === 'rename' && name !== null) names.add(join(shown, name));
    };
    try {
      watchers.push(watch(at, seen).on('error', () => {}));
    } catch {
      // The machine watches no more folders: the original's run says the same of this one.
      names.add(`${shown}/`);
    }
  };
  for (const folder of folders) look(join(root, folder), folder);
  look(home, '~');
  const real = (path: string) =>
    path.startsWith('~/') ? join(home, path.slice(2)) : join(root, path);
  return async () => {
    // One turn of the loop reads all that the kernel holds.
    await nextTurn();
    await nextTurn();
    for (const watcher of watchers) watcher.close();
    return [...names].flatMap((path) => filesAt(real, path)).sort();
  };
}

/** Names nothing of where builds write. */
function filesAt(real: (path: string) => string, path: string): string[] {
  const files: string[] = [];
  const visit = (at: string): void => {
    if (files.length > MOST_FILES) return;
    const found = statsOf(real(at));
    const isFolder = found?.isDirectory() === true;
    // What is gone may have been either.
    if (isBuiltPlace(`${at}/`) && found?.isFile() !== true) return;
    if (isBuiltPlace(at) || (found === undefined && isBuiltScratch(at))) return;
    if (!isFolder) files.push(at);
    else for (const name of namesIn(real(at))) visit(join(at, name));
  };
  visit(path);
  return files.length > MOST_FILES ? [`${path}/`] : files;
}

/** A run may close its folders. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return ['?'];
  }
}
