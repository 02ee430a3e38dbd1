import type { StartGoal } from '../../schema/goal.ts';
import type { Caller } from '../../schema/role.ts';
import { Refusal } from '../contract/failures.ts';
import { sees, sightOf } from '../policy/sight.ts';
import type { Ports } from './application.ts';
import { assertTurn } from './assert-turn.ts';
import { existingGoal } from './goal-lookup.ts';

/**
 * @throws Refusal where the caller may not see the goal with whose files it is to begin, it is gone,
 * or it had no such turn
 */
export async function assertSeenBeginning(
  { reader }: Ports<'reader'>,
  principal: Caller,
  from: NonNullable<StartGoal['workspace']>['from'],
): Promise<void> {
  if (from === undefined) return;
  const field = 'workspace.from.goalId';
  const owner = await reader.owner(from.goalId);
  if (owner === null || !sees(sightOf(principal), owner))
    throw new Refusal('not_found', `There is no goal ${from.goalId}.`, { field });
  await existingGoal(reader, from.goalId, { field });
  await assertTurn({ reader }, from.goalId, from.turn, 'workspace.from.turn');
}
