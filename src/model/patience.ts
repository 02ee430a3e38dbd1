import type { Patience } from '../contract/config.ts';
export interface Silence {
  readonly signal: AbortSignal;
  /** Restarts the limit of silence, because something was received. */
  touch(): void;
  /** Reports a piece of the wanted output. */
  progress(): void;
  /** Tells which limit ran out; null = none. */
  problem(): string | null;
  stop(): void;
}

/** Aborts on silence or with `parent`, which lives longer than a call and must not collect listeners. */
export function watchSilence(patience: Patience, parent: AbortSignal): Silence {
  const { firstByteTimeoutMs, idleTimeoutMs, outputTimeoutMs, callTimeoutMs } = patience;
  const controller = new AbortController();
  let problem: string | null = null;
  const giveUp = (reason: string) => () => {
    problem ??= reason;
    controller.abort();
  };
  const whole = setTimeout(
    giveUp(`The answer was not finished after ${callTimeoutMs} ms.`),
    callTimeoutMs,
  );
  const first = setTimeout(
    giveUp(`The provider sent nothing for ${firstByteTimeoutMs} ms.`),
    firstByteTimeoutMs,
  );
  const output = setTimeout(
    giveUp(`The provider wrote nothing for ${outputTimeoutMs} ms, though its stream was alive.`),
    outputTimeoutMs,
  );
  let idle: NodeJS.Timeout | null = null;
  const abort = () => controller.abort();
  parent.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    touch(): void {
      if (idle !== null) return void idle.refresh();
      clearTimeout(first);
      const reason = `The provider was silent for ${idleTimeoutMs} ms in the middle of its answer.`;
      idle = setTimeout(giveUp(reason), idleTimeoutMs);
    },
    progress: () => void output.refresh(),
    problem: () => problem,
    stop(): void {
      for (const timer of [whole, first, output, idle]) if (timer !== null) clearTimeout(timer);
      parent.removeEventListener('abort', abort);
    },
  };
}
