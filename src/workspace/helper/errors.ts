/** The helper is gone: what it was doing has an unknown end, and nothing more can be done here. */
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

/** Killed processes that the kernel hasn't let go yet; trying again later is right. */
export class HelperStillRuns extends Error {
  readonly pids: readonly number[];

  constructor(pids: readonly number[]) {
    super(`killed processes are still there: ${pids.join(', ')}`);
    this.name = 'HelperStillRuns';
    this.pids = pids;
  }
}
