/** The goals that exist for a caller. Everything else is answered as if it were not there. */
export interface Sight {
  /** Only goals that this principal started, with their delegates; null = of everybody. */
  readonly startedBy: string | null;
  /** Only goals in these workspaces; null = in all. */
  readonly workspaces: readonly string[] | null;
}

/** What a goal is seen by. */
export interface Owned {
  readonly startedBy: string;
  /** The workspace that a worktree was made from counts as its own. */
  readonly workspace: string;
}
