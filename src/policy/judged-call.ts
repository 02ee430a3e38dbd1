/** A call as far as rules look at it. */
export interface JudgedCall {
  readonly tool: string;
  /** The call only speaks to the host or a person, so wildcards don't match it. */
  readonly isSpeaking: boolean;
  /** The command line that it would run. */
  readonly command: string | null;
  /** Relative to the workspace, as they are named and as they resolve. */
  readonly paths: readonly string[];
  /** Folders in which the command runs, likewise; the workspace itself unless told. */
  readonly folders?: readonly string[];
  /** Absolute path of the workspace, so that absolute paths of commands and rules are understood. */
  readonly workspace?: string;
  /** Where a path of the workspace leads through links; null where it leads out. */
  readonly resolved?: (path: string) => string | null;
}
