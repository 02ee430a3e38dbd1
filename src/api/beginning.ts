import type { StartGoal } from '../../schema/goal.ts';
import type { Caller } from '../../schema/role.ts';
import { Refusal } from '../contract/failures.ts';
import type { LookedWorkspace } from '../contract/scope-look.ts';
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

/**
 * @throws Refusal where a goal on this workspace can't begin with the files of that turn, as far as
 * this machine has them
 */
export async function assertBeginning(
  { reader, beginnings }: Ports<'reader' | 'beginnings'>,
  place: LookedWorkspace,
  from: NonNullable<StartGoal['workspace']>['from'],
): Promise<void> {
  if (from === undefined) return;
  const begins = await reader.beginning(from, place.name);
  const problem = await beginnings.problem(place, begins);
  if (problem === null) return;
  throw new Refusal('invalid_request', problem, { field: 'workspace.from.turn' });
}
