import type { RefusedWorkspace } from '../../schema/operations.ts';

/** A workspace that goals can name, and who holds it. */
export interface ServedWorkspace {
  readonly name: string;
  readonly path: string;
  readonly host: string;
  readonly leaseGoalId: string | null;
  readonly leaseCheckId: string | null;
  readonly writeSeq: number;
  /** Why no worktree is made of its repository, behind its name; null = nothing is in the way. */
  readonly worktreeProblem: string | null;
  /** Goals that wait for it, in the order in which they go. */
  readonly queue: readonly { readonly goalId: string; readonly priority: number }[];
}

/** Where workspaces lie. What somebody changed in the database is none. */
export interface WorkspaceReader {
  workspaces(): Promise<ServedWorkspace[]>;
  /** Those that somebody changed in the database, each with the reason and the way out. */
  alteredWorkspaces(): Promise<RefusedWorkspace[]>;
  /**
   * The folder that a goal works in; null = there is no such goal, or it has none.
   * @throws Refusal unknown_workspace where somebody changed it in the database
   */
  folderOf(goalId: string): Promise<{ readonly path: string; readonly host: string } | null>;
}
