/** Something that is done to a repository before it is checked. */
export interface Play {
  readonly what: string;
  act(folder: string): Promise<void>;
  /** Exit codes of `goalkeeper check` that are right for it. */
  readonly wanted: readonly number[];
  /** Exit code that the project's own check has to have by then, where the play rests on it. */
  readonly own?: 'passes' | 'fails';
}

/** A project that has one fault, and what is played on it. */
export interface Subject {
  readonly id: string;
  readonly runner: string;
  readonly language: string;
  /** Commands that the machine must have, and files by their absolute paths. */
  readonly needs: readonly string[];
  readonly check: string;
  readonly criteria: readonly string[];
  readonly change: readonly string[];
  readonly accept: readonly string[];
  readonly plays: readonly Play[];
  /** Fills an empty folder. @returns its name and version */
  furnish(folder: string): Promise<string>;
}
