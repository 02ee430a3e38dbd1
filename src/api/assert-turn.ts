import { Refusal } from '../contract/failures.ts';
import type { Ports } from './application.ts';

/**
 * A turn that was never begun has no state to go back to: it may be meant for another goal.
 * @throws Refusal
 */
export async function assertTurn(
  { reader }: Ports<'reader'>,
  goalId: string,
  turn: number,
  field = 'turn',
): Promise<void> {
  const { items } = await reader.turns(goalId, { limit: 1 });
  const newest = items[0]?.turn ?? 0;
  if (turn <= newest) return;
  const what = newest === 0 ? 'has no turn yet' : `has turns up to ${newest}`;
  throw new Refusal('invalid_request', `${goalId} ${what}.`, { field, newest });
}
