import { lstat, realpath, stat } from 'node:fs/promises';
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
  return mounts;
}

async function targetOf(path: string): Promise<string | null> {
  const stats = await lstat(path).catch(() => null);
  return stats?.isSymbolicLink() ? await realpath(path).catch(() => null) : null;
}

async function looksInstalled(name: string, target: string): Promise<boolean> {
  if (name === 'node_modules') return basename(target) === 'node_modules';
  const marker = await stat(join(target, 'pyvenv.cfg')).catch(() => null);
  return marker?.isFile() === true;
}
