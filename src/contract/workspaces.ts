import type { Tree } from './intake.ts';
import type { LookedWorkspace } from './scope-look.ts';

export interface WorkspacesPort {
  /**
   * Those of `known` that lie at `path`, by whatever way it leads there: one tree never gets a
   * second name. Changes nothing.
   */
  servedAt<Known extends LookedWorkspace>(path: string, known: readonly Known[]): Promise<Known[]>;
  /**
   * What is registered for the tree at `path` (absolute, a folder on this machine): its name, and
   * the marker file that proves it. The record isn't touched.
   * @param name under which it is served already
   * @throws Refusal unknown_workspace when there is no such folder, or none that a goal may have
   */
  look(path: string, name?: string): Promise<Tree>;
  /**
   * Binds the tree at `path` to its name. Registering the same tree again changes nothing.
   * @throws Refusal as `look`
   */
  register(path: string, name?: string): Promise<{ name: string }>;
}
