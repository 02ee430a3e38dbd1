import { accessSync, constants, realpathSync } from 'node:fs';
import { isAbsolute, join, normalize, sep } from 'node:path';

/** No command can write there, and PATH may well name a folder of a workspace before them. */
const SYSTEM = /^\/(?:usr|bin|sbin|nix|run\/current-system)(?:\/|$)/;

/**
 * Path of a program that the host itself starts, or null. The system's come first, whatever the
 * order in PATH. Relative entries and folders of packages are passed over: what a workspace brings
 * along must not stand in for it.
 */
export function programPath(name: string, path = process.env.PATH ?? ''): string | null {
  const folders = path.split(':');
  const isSystem = (folder: string) => SYSTEM.test(normalize(folder));
  const ordered = [...folders.filter(isSystem), ...folders.filter((one) => !isSystem(one))];
  for (const folder of ordered) {
    if (!isAbsolute(folder) || folder.split(sep).includes('node_modules')) continue;
    try {
      const found = realpathSync(join(folder, name));
      accessSync(found, constants.X_OK);
      return found;
    } catch {
      // Not there, or not for us: the next one.
    }
  }
  return null;
}

/**
 * The same for a program that has to be there. Where it isn't, its start fails: by its bare name,
 * another one of PATH might be started.
 */
export const hostProgram = (name: string): string => programPath(name) ?? `/nonexistent/${name}`;
