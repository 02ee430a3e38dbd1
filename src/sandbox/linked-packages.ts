import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isWithin, type Mount } from './mounts.ts';

/**
 * Installed packages that lie elsewhere, behind a link of the workspace. A command could make such
 * a link itself, so only what looks like installed packages at its end as well is shown.
 */
export async function linkedPackages(workspace: string): Promise<Mount[]> {
  const mounts: Mount[] = [];
  for (const name of ['node_modules', '.venv', 'venv']) {
    const target = await targetOf(join(workspace, name));
    if (target === null || isWithin(workspace, target)) continue;
    if (await looksInstalled(name, target)) mounts.push({ kind: 'readable', at: target });
  }
  const single = await singlyLinked(workspace);
  return [...mounts, ...single.map((at) => ({ kind: 'readable' as const, at }))];
}

const MOST_LINKS = 200;

/** Packages that are linked one by one, as `npm link` and stores do: the folder that each lies in. */
async function singlyLinked(workspace: string): Promise<string[]> {
  const folder = join(workspace, 'node_modules');
  if (!(await isFolder(folder))) return [];
  const names = await readdir(folder).catch(() => []);
  const scoped = names.filter((name) => name.startsWith('@')).map((name) => join(folder, name));
  const inScopes = await Promise.all(
    scoped.map(async (scope) =>
      (await readdir(scope).catch(() => [])).map((name) => join(scope, name)),
    ),
  );
  const entries = [...names.map((name) => join(folder, name)), ...inScopes.flat()];
  const targets = new Set<string>();
  for (const entry of entries) {
    const target = await targetOf(entry);
    const end = target?.lastIndexOf('/node_modules/') ?? -1;
    if (target === null || end < 0 || isWithin(workspace, target)) continue;
    targets.add(`${target.slice(0, end)}/node_modules`);
    if (targets.size === MOST_LINKS) break;
  }
  return [...targets];
}

const isFolder = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null))?.isDirectory() === true;

async function targetOf(path: string): Promise<string | null> {
  const stats = await lstat(path).catch(() => null);
  return stats?.isSymbolicLink() ? await realpath(path).catch(() => null) : null;
}

async function looksInstalled(name: string, target: string): Promise<boolean> {
  if (name === 'node_modules') return basename(target) === 'node_modules';
  const marker = await stat(join(target, 'pyvenv.cfg')).catch(() => null);
  return marker?.isFile() === true;
}
