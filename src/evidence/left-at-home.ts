import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isCachePlace } from '../sandbox/goal-folders.ts';

/** Most files that are named. */
const MOST_NAMED = 5;
const DEEPEST = 6;

/** Files that package managers write about their own runs. */
const OF_MANAGERS = ['.gitconfig', '.npm/_logs', '.npm/_update-notifier-last-checked'];

/**
 * Files that a check left in its own home or temporary folder, without package caches: its next run
 * could recognise them and behave differently.
 */
export async function leftAtHome(folder: string): Promise<string[]> {
  const left: string[] = [];
  const home = join(folder, 'home');
  const walk = async (at: string, depth: number): Promise<void> => {
    for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
      if (left.length === MOST_NAMED) return;
      const path = join(at, entry.name);
      const inHome = relative(home, path);
      if (OF_MANAGERS.includes(inHome) || isCachePlace(inHome)) continue;
      if (entry.isDirectory() && depth < DEEPEST) await walk(path, depth + 1);
      else if (!entry.isDirectory()) left.push(relative(folder, path));
    }
  };
  await walk(home, 1);
  await walk(join(folder, 'tmp'), 1);
  return left;
}
