import { Refusal } from '../../contract/failures.ts';
import type { GoalState } from '../../contract/goal-state.ts';
import type { Mutation } from '../../contract/mutation.ts';
import { statusOf } from '../../goal/chart/view.ts';

const WAY_OUT: Record<string, string> = {
  complete: 'start a new goal instead',
  budget_limited: 'raise or remove the limit first',
  paused: 'resume it first',
  active: 'pause it first',
};

const OWN_WAY_OUT: Partial<Record<Mutation['kind'], string>> = {
  end_turn: 'try again when it waits for its session',
  take_back: 'nothing that waits is read any more',
};

/** The state that the goal is in takes no such mutation. */
export function refusedBy(state: GoalState, mutation: Mutation): Refusal {
  const status = statusOf(state.chart);
  const way = OWN_WAY_OUT[mutation.kind] ?? WAY_OUT[status];
  return new Refusal(
    'invalid_transition',
    `A goal that is ${status} cannot take "${mutation.kind}": ${way}`,
    { status, mutation: mutation.kind, revision: state.revision },
  );
}
