import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats a round of work with a pause after each, until it is stopped. A stop waits for the
 * running round.
 * @param round must not fail; true = the next one follows at once, a number = after so many
 * milliseconds where that is sooner
 */
export function startRounds(
  round: () => Promise<boolean | number>,
  everyMs: number,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = (async () => {
    while (!signal.aborted) {
      const next = await round();
      if (next === true || signal.aborted) continue;
      const pause = next === false ? everyMs : Math.min(everyMs, next);
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await loop;
    },
  };
}
