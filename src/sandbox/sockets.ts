import { accessSync, constants, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Sockets at visible paths: a read-only file system doesn't prevent connections to them.
 */
export function socketsInReach(): string[] {
  const paths = listed().flatMap((path) => reachable(path) ?? []);
  return [...new Set(paths)];
}

/** Abstract ones begin with `@` and belong to a network namespace. */
function listed(): string[] {
  try {
    const lines = readFileSync('/proc/net/unix', 'utf8').split('\n').slice(1);
    return lines.flatMap((line) => /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1] ?? []);
  } catch {
    return [];
  }
}

function reachable(path: string): string | null {
  try {
    const real = join(realpathSync(dirname(path)), path.slice(path.lastIndexOf('/') + 1));
    accessSync(real, constants.W_OK);
    return real;
  } catch {
    return null;
  }
}
