/** A process that can be told from a later one with the same pid. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Field 22 of /proc/PID/stat: clock ticks since boot. */
  readonly startedAt: string;
  /**
   * The first process of a PID namespace: the kernel ends all others there with it, and lets it be
   * gone only behind them (pid_namespaces(7)).
   */
  readonly isInit?: boolean;
}
