import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Folder of a package of the registry, installed once by version beside the user's other caches.
 *
 * @param peers that it takes from others, as `name@version`
 */
export function installed(name: string, version: string, ...peers: readonly string[]): string {
  const folder = join(
    homedir(),
    '.cache/goalkeeper/agents',
    `${name.replace('/', '+')}@${version}`,
  );
  const found = join(folder, 'node_modules', name);
  if (!existsSync(found)) {
    mkdirSync(folder, { recursive: true });
    const args = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--force'];
    execFileSync('npm', [...args, `${name}@${version}`, ...peers], { stdio: 'inherit' });
  }
  return found;
}
