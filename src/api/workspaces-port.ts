import { createHash } from 'node:crypto';
import { basename } from 'node:path';

export interface WorkspacesPort {
  /**
   * Binds the tree at `path` (absolute, a folder on this machine) to its name, with the marker
   * file that proves it. Registering the same tree again changes nothing.
   * @throws Refusal unknown_workspace when there is no such folder
   */
  register(path: string): Promise<{ name: string }>;
}

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
