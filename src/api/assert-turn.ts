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
  const newest = await newestTurn({ reader }, goalId);
  if (turn <= newest) return;
  throw new Refusal('invalid_request', `${goalId} ${turnsText(newest)}.`, { field, newest });
}

export async function newestTurn({ reader }: Ports<'reader'>, goalId: string): Promise<number> {
  const { items } = await reader.turns(goalId, { limit: 1 });
  return items[0]?.turn ?? 0;
}

/** Which turns a goal has; they are numbered from 1 on. */
export const turnsText = (newest: number): string =>
  newest === 0 ? 'has no turn yet' : `has turns up to ${newest}`;
