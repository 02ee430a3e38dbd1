import type { Fence } from './fence.ts';

/** Why a worktree of a repository would hold other files than its owner's git puts there. */
export type WorktreeProblem = 'sparse_checkout' | 'line_ends' | 'filters';

/** A goal's own tree: where it comes from and where it is. */
export interface Worktree {
  readonly goalId: string;
  /** Name of the workspace row. */
  readonly name: string;
  /** Empty until it is made, and when it is gone. */
  readonly path: string;
  readonly branch: string;
  /** The tree that it is made from. */
  readonly originPath: string;
  /** It works for another goal, whose tree it is made from as it stands. */
  readonly isDelegate: boolean;
  readonly result: WorktreeResult | null;
}

/** Worktree of a goal: the attempt that may make it, and its folder. */
export interface Maker extends Pick<Worktree, 'goalId' | 'path' | 'originPath'> {
  /** Token of the newest attempt. */
  readonly token: number;
  readonly isOver: boolean;
}

/** What its branch holds since it was made. */
export interface WorktreeResult {
  /** The commit that it was made from. */
  readonly base: string;
  readonly commit: string;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** What the record knows of the goals' own trees. */
export interface WorktreesPort {
  /** Null for a goal that shares a workspace with others. */
  find(goalId: string): Promise<Worktree | null>;
  /**
   * It is there from now on.
   * @param uncommitted files of the origin that were not committed, and so are not in it
   * @throws Superseded
   */
  tellMade(fence: Fence, path: string, base: string, uncommitted: number): Promise<void>;
  tellResult(fence: Fence, result: WorktreeResult): Promise<void>;
  /**
   * Those of goals that were cleared or replaced, on this host, for one worker at a time.
   * @param later names of those that are not to be looked at now
   */
  withLeftBehind(
    host: string,
    later: readonly string[],
    work: (left: readonly Worktree[]) => Promise<void>,
  ): Promise<void>;
  /** Who makes or has made a worktree, of these goals. */
  makers(goalIds: readonly string[]): Promise<Maker[]>;
  tellRemoved(name: string): Promise<void>;
}
