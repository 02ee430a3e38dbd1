import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { statsOf } from '../../process/stats-of.ts';
import type { CommandUser } from '../command-user.ts';
import type { Toolchain } from './toolchain.ts';

/** Raised when what lies in a seed's folder means something else. */
const FORMAT = 1;

/**
 * Tells seeds apart: by the toolchain's programs and version, what it is told, the machine, and the
 * user as whom it runs, so that nobody works with what another user's process could have reached.
 *
 * @returns null where there can be no seed
 */
export function seedKey(
  toolchain: Toolchain,
  user: CommandUser,
  env: NodeJS.ProcessEnv = process.env,
): string | null {
  if (toolchain.elsewhere.some((name) => env[name])) return null;
  const found = toolchain.programs.map((name) => programsNamed(name, env.PATH ?? ''));
  const [first] = found[0] ?? [];
  if (first === undefined) return null;
  const beside = toolchain.beside.map((path) => stampOf(join(dirname(first.path), path)));
  const settings = toolchain.settings.map((name) => env[name] ?? null);
  const machine = [process.platform, process.arch];
  const digest = createHash('sha256')
    .update(JSON.stringify([FORMAT, machine, user, toolchain, found, beside, settings]))
    .digest('hex');
  return `${toolchain.name}-${digest.slice(0, 40)}`;
}

interface Found {
  /** Real. */
  readonly path: string;
  readonly stamp: string | null;
}

/** All of this name: which of them shows in a sandbox is decided there. */
function programsNamed(name: string, path: string): Found[] {
  return path.split(':').flatMap((folder) => {
    if (!isAbsolute(folder)) return [];
    try {
      const found = realpathSync(join(folder, name));
      return statSync(found).isFile() ? [{ path: found, stamp: stampOf(found) }] : [];
    } catch {
      return [];
    }
  });
}

/** Unlike inode and change time, these are the same in each start of a container. */
function stampOf(path: string): string | null {
  const stats = statsOf(path);
  return stats === undefined ? null : `${stats.size} ${stats.mtimeMs}`;
}
