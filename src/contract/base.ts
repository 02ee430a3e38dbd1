/** Why the work can't be measured against the commit that the caller names. */
export type BaseProblem =
  | 'elsewhere'
  | 'no_repository'
  | 'no_commit'
  | 'unknown_commit'
  | 'shallow_clone'
  | 'no_merge_base'
  | 'not_an_ancestor'
  | 'sparse_checkout'
  | 'line_ends'
  | 'filters'
  | 'lfs_pointers'
  | 'submodules'
  | 'object_format'
  | 'missing_objects'
  | 'damaged';

/** The commit can't be the original; the message says why, and the way out. */
export class BaseRefused extends Error {
  readonly problem: BaseProblem;

  constructor(problem: BaseProblem, message: string) {
    super(message);
    this.problem = problem;
    this.name = 'BaseRefused';
  }
}
