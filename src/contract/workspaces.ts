import type { Tree } from './intake.ts';

export interface WorkspacesPort {
  /**
   * What is registered for the tree at `path` (absolute, a folder on this machine): its name, and
   * the marker file that proves it. The record isn't touched.
   * @throws Refusal unknown_workspace when there is no such folder, or none that a goal may have
   */
  look(path: string): Promise<Tree>;
  /**
   * Binds the tree at `path` to its name. Registering the same tree again changes nothing.
   * @throws Refusal as `look`
   */
  register(path: string): Promise<{ name: string }>;
}
