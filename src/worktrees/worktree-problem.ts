import type { WorktreeProblem } from '../contract/worktrees.ts';
import { FOREIGN } from '../workspace/git/own-repository.ts';

const WORDS: Record<WorktreeProblem, string> = {
  sparse_checkout:
    'is a sparse checkout, and a worktree would hold all of its files: run "git sparse-checkout disable" there first, or leave "mode" out',
  line_ends:
    'has settings or attributes by which git changes line ends (core.autocrlf, core.eol, eol=crlf), which worktrees of goals do not: take them out, or leave "mode" out',
  filters:
    'has attributes by which git changes files on their way (filter, such as LFS; ident; working-tree-encoding), which worktrees of goals do not: leave "mode" out',
  object_format:
    'keeps its objects by SHA-256, while proofs and branches of goals name files by SHA-1: leave "mode" out',
  missing_objects:
    'is a partial clone that lacks files of its last commit, and the service fetches none: check them out ("git checkout HEAD -- ."), or leave "mode" out',
  foreign_repository: `${FOREIGN}, or leave "mode" out`,
};

/** Said behind the name of the workspace. */
export const worktreeProblemText = (problem: WorktreeProblem): string => WORDS[problem];
