import type { GoalState } from '../../contract/goal-state.ts';
import type { SliceEnd, TurnFacts } from '../../contract/turn-facts.ts';
import { isOpen } from '../../goal/chart/view.ts';

/**
 * Ends after which the turn is over and nothing has to happen first: no other slice, no wait, no
 * other model. What isn't named here is the workflow's to settle.
 */
const ENDS_ITS_TURN: ReadonlySet<SliceEnd> = new Set([
  'yield',
  'claim',
  'election',
  'question',
  'blocker',
  'dispute',
  'turn_cap',
  'budget',
  'protocol_error',
  'lost_calls',
  'tool_error_cap',
  'repetition',
  'lifecycle_breaker',
  'unknown_effect',
  'approval',
]);

/**
 * May the decision on a turn commit with the end of its slice? A closed goal's turn is settled when
 * its work is seen to be over, a family's when both sides are looked at.
 */
export const settlesWithSlice = (
  { chart, isDelegate }: Pick<GoalState, 'chart' | 'isDelegate'>,
  { end, delegates, inSession }: Pick<TurnFacts, 'end' | 'delegates' | 'inSession'>,
): boolean =>
  ENDS_ITS_TURN.has(end) &&
  isOpen(chart) &&
  isDelegate !== true &&
  delegates === undefined &&
  inSession !== true;
