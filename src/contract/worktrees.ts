import type { Verification } from '../../schema/goal.ts';
import type { Fence } from './fence.ts';

/**
 * Why a worktree of a repository would hold other files than its owner's git puts there, or the host
 * would not know them again by their ids.
 */
export type FilesProblem =
  | 'sparse_checkout'
  | 'line_ends'
  | 'filters'
  | 'object_format'
  | 'missing_objects';

/** Why no worktree is made of a repository; the host reads none that is of others. */
export type WorktreeProblem = FilesProblem | 'foreign_repository';

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
  /** The goal is a delegate: its tree is made from its parent's present tree. */
  readonly isDelegate: boolean;
  /** Until it is made: what it begins with instead of the last commit; null = that one. */
  readonly begins: WorktreeBeginning | null;
  readonly result: WorktreeResult | null;
  readonly isComplete: boolean;
  /** Nobody works there any more, and its folder may go. */
  readonly isCleared: boolean;
}

/** The files of another goal, as one of its checkpoints has them. */
export interface WorktreeBeginning {
  readonly goalId: string;
  /** Name of the checkpoint. */
  readonly checkpoint: string;
}

/** What the API sees of such a beginning before there is a goal. */
export interface BeginningLookPort {
  /** Why no worktree of the workspace begins so, for people; null = one does, or it is not seen from here. */
  problem(
    workspace: { readonly path: string; readonly host: string },
    begins: WorktreeBeginning,
  ): Promise<string | null>;
}

/** Worktree of a goal: the attempt that may make it, and its folder. */
export interface Maker extends Pick<Worktree, 'goalId' | 'path' | 'originPath'> {
  /** Token of the newest attempt. */
  readonly token: number;
  readonly isOver: boolean;
}

/** Content of a worktree's branch since it was made. */
export interface WorktreeResult {
  /** The commit that it was made from. */
  readonly base: string;
  readonly commit: string;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** Some of the files that no commit can hold, which lie in the worktree alone; absent = none. */
  readonly leftOut?: readonly string[];
  /** The goal was complete by then, and its branch got the commit that says so. */
  readonly isEnd?: true;
}

/** What the last commit of a complete goal's branch says of it. */
export interface GoalEnd {
  readonly objective: string;
  readonly level: Verification;
  /** Null: there is none that can be exported. */
  readonly proof: ProvenTree | null;
}

export interface ProvenTree {
  /** Git's id of it. */
  readonly tree: string;
  /** sha256 of the proof's first statement, in hex. */
  readonly digest: string;
}

/** Where a branch ended. */
export interface BranchEnd {
  /** Another than the goal's where a command had left that one. */
  readonly branch: string;
  readonly result: WorktreeResult;
  /** Whether its tree is the one that was proven. */
  readonly isProven: boolean;
}

/** The record's access to worktrees of goals. */
export interface WorktreesPort {
  /** Null for a goal that shares a workspace with others. */
  find(goalId: string): Promise<Worktree | null>;
  /**
   * Records that the worktree was made.
   * @param made `uncommitted`: files of the origin that were not committed, and so are not in it
   * @throws Superseded
   */
  tellMade(
    fence: Fence,
    path: string,
    made: { base: string; uncommitted: number; begins: WorktreeBeginning | null },
  ): Promise<void>;
  tellResult(fence: Fence, result: WorktreeResult): Promise<void>;
  /**
   * Passes worktrees on this host to `work`, for one worker at a time: those of cleared or replaced
   * goals, and those of complete ones whose branch has no end yet.
   * @param later names of worktrees to skip for now
   */
  withLeftBehind(
    host: string,
    later: readonly string[],
    work: (left: readonly Worktree[]) => Promise<void>,
  ): Promise<void>;
  /** @param end null = its folder is gone, and so nothing is left to commit */
  tellEnded(worktree: Worktree, end: BranchEnd | null): Promise<void>;
  /** Says once why the branch of a complete goal has no end yet; `tellEnded` comes once it has. */
  tellStuck(worktree: Pick<Worktree, 'goalId' | 'branch'>, why: string): Promise<void>;
  /** Attempts that make or made a worktree of these goals. */
  makers(goalIds: readonly string[]): Promise<Maker[]>;
  tellRemoved(name: string): Promise<void>;
}
