import type { GoalState } from '../../contract/goal-state.ts';
import type { Mutation } from '../../contract/mutation.ts';
import { isOpen, isWaiting } from '../../goal/chart/view.ts';
import { isSaidByPerson } from '../../record/mutation/persons-word.ts';

/** The consequences of a mutation beside its revision, in the same transaction. */
export interface MutationFollowUps {
  /** No slice is left that could report the end of a call, so its estimate is charged. */
  readonly chargesLostSteps: boolean;
  /** The next delegate begins a new chain, and those that have not begun are dropped. */
  readonly restartsChain: boolean;
  /** The goal no longer follows the pause of its parent. */
  readonly leavesParentsPause: boolean;
}

export function followUpsOfMutation(
  before: Pick<GoalState, 'chart' | 'isDelegate'>,
  mutation: Mutation,
  { isOver, isHeldByRun }: { readonly isOver: boolean; readonly isHeldByRun: boolean },
): MutationFollowUps {
  const { chart, isDelegate } = before;
  const isAtRest = !isHeldByRun || isWaiting(chart) || !isOpen(chart);
  const isSaid = isSaidByPerson(mutation);
  return {
    chargesLostSteps: isOver && isAtRest,
    restartsChain: isSaid,
    leavesParentsPause: isDelegate === true && (isSaid || mutation.kind === 'pause'),
  };
}
