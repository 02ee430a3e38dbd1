/**
 * Round after round of the same work, with a pause behind each, until it is stopped; the round that
 * runs then is waited for.
 * @param round must not fail; true = the next one follows at once, a number = after so many
 * milliseconds where that is sooner
 */
export function startRounds(
  round: () => Promise<boolean | number>,
  everyMs: number,
): { stop(): Promise<void> } {
  let isStopped = false;
  let wake = () => {};
  const loop = (async () => {
    while (!isStopped) {
      const next = await round();
      if (next === true || isStopped) continue;
      const pause = next === false ? everyMs : Math.min(everyMs, next);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pause);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  })();
  return {
    async stop() {
      isStopped = true;
      wake();
      await loop;
    },
  };
}
