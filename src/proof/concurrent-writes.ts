/** The changes of one gate run to the workspace. */
export interface RunWrites {
  /** Everything that changed while it ran. */
  readonly paths: readonly string[];
  /** The changed files that did not exist before. */
  readonly created: readonly string[];
}

/** The changes during one round of a gate. */
export interface RoundWrites {
  /** Changes between the runs, made by others. */
  readonly foreign: readonly string[];
  /** Changes during the runs, one entry for each run, in order. */
  readonly own: readonly RunWrites[];
}

/**
 * Tells whether a round has to be repeated: when others wrote, and when a run wrote new paths. An
 * earlier run then saw other files than the delivered ones, or a person saved a file meanwhile.
 * Files that a check always writes (reports, build output) are no reason.
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
 * Others' writes in the last round. A run's change to an existing file counts as others', unless an
 * earlier run of the host changed the file too.
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
