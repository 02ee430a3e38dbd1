/**
 * Round after round of the same work, with a pause behind each, until it is stopped; the round that
 * runs then is waited for.
 * @param round must not fail; true = the next one follows at once
 */
export function startRounds(
  round: () => Promise<boolean>,
  everyMs: number,
): { stop(): Promise<void> } {
  let isStopped = false;
  let wake = () => {};
  const loop = (async () => {
    while (!isStopped) {
      if ((await round()) || isStopped) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, everyMs);
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
