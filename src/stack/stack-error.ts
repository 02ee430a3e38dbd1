/** An embedded server can't serve; the way out is for the person who called `up`. */
export class StackError extends Error {
  readonly wayOut: string;

  constructor(message: string, wayOut: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StackError';
    this.wayOut = wayOut;
  }
}

interface Store {
  readonly server: 'PostgreSQL' | 'Temporal';
  readonly home: string;
  /** The folder or file that holds its data. */
  readonly path: string;
  readonly log: string;
}

/** Says what keeps a server from starting, by what it said itself. */
export function startFailure(store: Store, error: unknown): StackError {
  if (error instanceof StackError) return error;
  const { server, home, path, log } = store;
  const said = error instanceof Error ? error.message : String(error);
  if (/ENOSPC|No space left on device|disk is full/i.test(said)) {
    return new StackError(
      `No space is left for ${server} in ${home}`,
      `Free some space (a new home takes about 300 MB), or set GOALKEEPER_HOME to another disk.`,
      error,
    );
  }
  return new StackError(
    `${server} did not start: ${said}`,
    `Read ${log}. If ${path} is damaged, put a backup in its place; without one, move ` +
      (server === 'Temporal'
        ? `it away: goals then wait as paused/recovery and can be resumed.`
        : `${home} away: you then begin anew, and the goals are gone.`),
    error,
  );
}
