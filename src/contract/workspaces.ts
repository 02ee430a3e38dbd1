export interface WorkspacesPort {
  /**
   * Binds the tree at `path` (absolute, a folder on this machine) to its name, with the marker
   * file that proves it. Registering the same tree again changes nothing.
   * @throws Refusal unknown_workspace when there is no such folder
   */
  register(path: string): Promise<{ name: string }>;
}
