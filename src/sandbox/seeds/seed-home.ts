import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { commandUser } from '../command-user.ts';
import { toolchainsOf } from './all.ts';
import { seedKey } from './seed-key.ts';
import { fillFromSeed, findSeed, seedsFolder } from './seed-store.ts';

/** Folders of the workspace in which a project is looked for. */
const MOST_FOLDERS = 100;

/** A new home for the commands of a goal begins with the seeds that are kept; none is made for it. */
export async function seedHome(
  serviceHome: string,
  workspace: string,
  home: string,
): Promise<void> {
  const user = await commandUser(workspace);
  const seeds = seedsFolder(serviceHome);
  for (const toolchain of toolchainsOf(await namesIn(workspace))) {
    const key = seedKey(toolchain, user);
    const seed = key === null ? null : await findSeed(seeds, key);
    if (seed !== null) await fillFromSeed(seed, toolchain, home);
  }
}

/** Of the top, and of the folders there. */
async function namesIn(workspace: string): Promise<string[]> {
  const top = await readdir(workspace, { withFileTypes: true }).catch(() => []);
  const folders = top.filter((entry) => entry.isDirectory()).slice(0, MOST_FOLDERS);
  const inner = await Promise.all(
    folders.map(({ name }) => readdir(join(workspace, name)).catch(() => [])),
  );
  return [...top.map(({ name }) => name), ...inner.flat()];
}
