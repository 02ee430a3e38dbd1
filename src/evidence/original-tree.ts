import type { Scope } from '../../schema/scope.ts';
import type { SeenAtBaseline } from '../contract/goal-brief.ts';
import type { TestReport } from '../contract/test-report.ts';
import type { ProofTree } from './proof/proof-tree.ts';

export type State = 'met' | 'unmet' | 'not_run';

export interface BaselineLook {
  readonly state: State;
  readonly reason: string;
  readonly seen?: SeenAtBaseline;
  /** The tests that ran; of checkers the files that they looked at. */
  readonly report?: TestReport | null;
}

/** The tree that the goal's proof begins with. */
export interface OriginalTree extends ProofTree {
  readonly goalId: string;
  readonly scope: Scope;
}
