import { accessSync, constants, realpathSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';

/**
 * Path of a program that the host itself starts, or null. Relative entries of PATH and folders
 * of packages are passed over: what a workspace brings along must not stand in for it.
 */
export function programPath(name: string, path = process.env.PATH ?? ''): string | null {
  for (const folder of path.split(':')) {
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
