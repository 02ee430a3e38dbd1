/** Identity of a process that distinguishes it from a later one with the same pid. */
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
   * The init process of a PID namespace: when it ends, the kernel first ends all others in the
   * namespace (pid_namespaces(7)).
   */
  readonly isInit?: boolean;
}
