/**
 * A pool serves workspaces under a name: the machine's own, or one that outlives machines. Its workers
 * see the same files and end each other's processes, so they run on one machine at a time.
 */
export interface PoolsPort {
  /**
   * Takes the pool for this machine, or renews what it holds.
   * @returns the machine that serves it: another one, as long as that renews it
   */
  take(name: string, machine: string): Promise<string>;
  /** Lets go of it, unless another living worker of it is left. */
  release(name: string, machine: string): Promise<void>;
}
