import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from './held-folder.ts';
import { isWithin, type Mount } from './mounts.ts';

const MOST_MODULES = 50;

/**
 * Commands may commit, and not change what git runs for the person later: configuration and hooks
 * are readable only, and the folder that holds them can't be moved away.
 *
 * @param isOwn the goal's own commands made the repository
 */
export async function gitMounts(workspace: string, isOwn: boolean): Promise<GitFolders> {
  const entry = join(workspace, '.git');
  const stats = await lstat(entry).catch(() => null);
  if (stats?.isDirectory()) return { mounts: isOwn ? [] : await guarded(entry), common: null };
  if (!stats?.isFile()) return { mounts: [], common: null };
  const common = await commonFolderOf(workspace, entry);
  if (common === null) return { mounts: [], common };
  return { mounts: [{ kind: 'readable', at: entry }, ...(await guarded(common))], common };
}

export interface GitFolders {
  readonly mounts: readonly Mount[];
  /** The repository of a linked worktree: it lies elsewhere, and is written to. */
  readonly common: string | null;
}

async function guarded(folder: string): Promise<Mount[]> {
  const place = join(folder, 'modules');
  const isPlace = (await lstat(place).catch(() => null))?.isDirectory();
  const modules = isPlace ? await readdir(place, { withFileTypes: true }) : [];
  const inner = modules
    .filter((entry) => entry.isDirectory())
    .slice(0, MOST_MODULES)
    .map(({ name }) => join(place, name));
  const fixed = await Promise.all([folder, ...inner].map(fixedIn));
  // A mount point can't be moved away, and neither can the read-only mounts in it.
  const kept = [folder, ...(isPlace ? [place] : []), ...inner];
  return [...kept.map((at) => ({ kind: 'writable' as const, at })), ...fixed.flat()];
}

/** A missing folder of hooks could be created by a command, so it is created here. */
async function fixedIn(folder: string): Promise<Mount[]> {
  const config = join(folder, 'config');
  const hooks = join(folder, 'hooks');
  if (!(await lstat(config).catch(() => null))?.isFile()) return [];
  await makeFolder(hooks).catch(() => undefined);
  const hasHooks = (await lstat(hooks).catch(() => null))?.isDirectory() === true;
  const fixed = hasHooks ? [config, hooks] : [config];
  return fixed.map((at) => ({ kind: 'readable', at }));
}

/**
 * The repository of a linked worktree, or null. The file in the workspace could name any folder;
 * a true one is named back by what git keeps in the repository, where no command of a goal writes
 * but through this very link.
 */
export async function commonFolderOf(workspace: string, entry: string): Promise<string | null> {
  try {
    const named = /^gitdir: (.+)$/m.exec(await readFile(entry, 'utf8'))?.[1] ?? '';
    const own = await realpath(resolve(workspace, named));
    const common = dirname(dirname(own));
    const back = await realpath((await readFile(join(own, 'gitdir'), 'utf8')).trim());
    const shared = (await readFile(join(own, 'commondir'), 'utf8')).trim();
    const isTrue =
      back === (await realpath(entry)) &&
      !isWithin(workspace, own) &&
      !isWithin(common, workspace) &&
      (await realpath(resolve(own, shared))) === common &&
      (await isRepository(common));
    return isTrue ? common : null;
  } catch {
    return null;
  }
}

async function isRepository(folder: string): Promise<boolean> {
  const parts = await Promise.all(
    ['HEAD', 'objects', 'refs', 'config'].map((name) =>
      lstat(join(folder, name)).catch(() => null),
    ),
  );
  return parts.every((part) => part !== null);
}
