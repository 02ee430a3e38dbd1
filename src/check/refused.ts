/** Why nothing can be judged here; everything else that goes wrong is a finding. */
export type CheckProblem =
  | 'no_repository'
  | 'no_base'
  | 'nothing_changed'
  | 'no_criteria'
  | 'too_large'
  | 'unreadable'
  /** No command of it could begin: of no sandbox, or with no way into a folder. */
  | 'nothing_ran'
  | 'base';

/** A mistake in the order, or a repository that can't be judged, with the way out. */
export class CheckRefused extends Error {
  readonly problem: CheckProblem;
  readonly wayOut: string;

  constructor(problem: CheckProblem, what: string, wayOut: string) {
    super(what);
    this.name = 'CheckRefused';
    this.problem = problem;
    this.wayOut = wayOut;
  }
}
