/** A flood of the same is told once a minute. */
const QUIET_MS = 60_000;
const MOST_REMEMBERED = 10_000;

/** @returns whether this has not been told within a minute */
export function createQuiet(): (key: string) => boolean {
  const toldAt = new Map<string, number>();
  return (key) => {
    if (Date.now() - (toldAt.get(key) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return false;
    if (toldAt.size >= MOST_REMEMBERED) toldAt.clear();
    toldAt.set(key, Date.now());
    return true;
  };
}
