/** What one run of a gate changed in the workspace. */
export interface RunWrites {
  /** Everything that changed while it ran. */
  readonly paths: readonly string[];
  /** Those of them that were not there before. */
  readonly created: readonly string[];
}

/** What moved in one round of a gate. */
export interface RoundWrites {
  /** Between the runs: somebody else's. */
  readonly foreign: readonly string[];
  /** During the runs, one entry a run, in order. */
  readonly own: readonly RunWrites[];
}

/**
 * Has a round to be repeated? When others wrote, and when what a run wrote is new: an earlier run
 * then saw other files than those that are delivered, or a person saved a file meanwhile. What a
 * check always writes (reports, build output) is no reason.
 *
 * @param known paths that earlier runs of the host wrote
 */
export function needsAnotherRound(
  { foreign, own }: RoundWrites,
  known: ReadonlySet<string>,
): boolean {
  return foreign.length > 0 || own.some(({ paths }) => paths.some((path) => !known.has(path)));
}

/**
 * What others wrote in the last round. A run's change to a file that was there, and that no earlier
 * run of the host changed, is not believed to be its own.
 */
export function writtenByOthers(
  { foreign, own }: RoundWrites,
  known: ReadonlySet<string>,
): string[] {
  const unexplained = own.flatMap(({ paths, created }) =>
    paths.filter((path) => !known.has(path) && !created.includes(path)),
  );
  return [...new Set([...foreign, ...unexplained])].sort();
}
