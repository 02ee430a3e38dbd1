import { createHash } from 'node:crypto';
import { basename } from 'node:path';

/**
 * Name of a workspace that was given by its path: readable by its last part, and distinct for
 * trees that share it. `realPath` has its symlinks resolved.
 */
export function workspaceNameOf(realPath: string): string {
  const readable =
    basename(realPath)
      .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
      .slice(0, 60) || 'root';
  return `${readable}-${createHash('sha256').update(realPath).digest('hex').slice(0, 6)}`;
}
