/** The helper is gone: its current effect has an unknown outcome, and no more can run. */
export class EffectsLost extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'EffectsLost';
  }
}

/** Only the host on which a helper runs can end it. */
export class OtherHost extends Error {
  readonly host: string;

  constructor(host: string) {
    super(`the helper runs on host "${host}" and can only be ended there`);
    this.name = 'OtherHost';
    this.host = host;
  }
}

/** Killed processes still exist in the kernel; the caller retries later. */
export class HelperStillRuns extends Error {
  readonly pids: readonly number[];

  constructor(pids: readonly number[]) {
    super(`killed processes are still there: ${pids.join(', ')}`);
    this.name = 'HelperStillRuns';
    this.pids = pids;
  }
}
