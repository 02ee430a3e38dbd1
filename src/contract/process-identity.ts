/** A process that can be told from a later one with the same pid. */
export interface LocalProcess {
  readonly pid: number;
  /**
   * On Linux the boot and the kernel's start time, which counts from it; earlier versions recorded
   * that time alone. Opaque, only compared (`isSameProcess`).
   */
  readonly startedAt: string;
}

/** A process of one of several machines. */
export interface ProcessIdentity extends LocalProcess {
  readonly host: string;
  /**
   * The first process of a PID namespace: the kernel ends all others there with it, and lets it be
   * gone only behind them (pid_namespaces(7)).
   */
  readonly isInit?: boolean;
}
