import type { Caller } from '../../../schema/role.ts';
import type { Heartbeat, NewSchedule, ScheduledStart } from '../../../schema/schedule.ts';
import { Refusal } from '../../contract/failures.ts';
import type { ScheduleAction } from '../../contract/schedules.ts';
import type { Ports } from '../application.ts';
import { noSuchGoal } from '../goal-lookup.ts';
import { may } from '../may.ts';
import { type JudgeNeeds, judgeStart } from '../start-goal.ts';

export interface JudgedAction {
  readonly action: ScheduleAction;
  readonly workspace: string;
}

/**
 * What a schedule will do is judged as if its owner did it now: what could not be done now is
 * refused before anybody relies on it.
 * @throws Refusal
 */
export const judgeAction = (
  ports: Ports<JudgeNeeds>,
  caller: Caller,
  { start, wake }: Pick<NewSchedule, 'start' | 'wake'>,
): Promise<JudgedAction> =>
  start !== undefined
    ? judgeScheduledStart(ports, caller, start)
    : judgeWake(ports, caller, wake as Heartbeat);

async function judgeScheduledStart(
  ports: Ports<JudgeNeeds>,
  caller: Caller,
  start: ScheduledStart,
): Promise<JudgedAction> {
  const { goal, tree } = await inField('start', () => judgeStart(ports, caller, start));
  // What is served may be more by then, and the goal has to go where it was judged for.
  const placed =
    start.workspace === undefined && tree === null
      ? { ...start, workspace: { name: goal.workspace } }
      : start;
  return { action: { start: placed }, workspace: goal.workspace };
}

async function judgeWake(
  ports: Ports<'reader'>,
  caller: Caller,
  wake: Heartbeat,
): Promise<JudgedAction> {
  const { goalId } = wake;
  const owner = await ports.reader.owner(goalId);
  const reach = await ports.reader.reach(goalId);
  const field = 'wake.goalId';
  if (owner === null || reach === null || may(caller, 'sendMessage', owner) !== 'yes') {
    throw new Refusal('not_found', noSuchGoal(goalId).message, { goalId, field });
  }
  if (reach.isArchived || reach.status === 'complete') throw overGoal(goalId);
  return { action: { wake }, workspace: owner.workspace };
}

export const overGoal = (goalId: string): Refusal =>
  new Refusal('invalid_transition', `The goal ${goalId} is over: nothing wakes it.`, {
    goalId,
    field: 'wake.goalId',
  });

/** The field as the caller gave it. */
async function inField<Value>(name: string, judge: () => Promise<Value>): Promise<Value> {
  try {
    return await judge();
  } catch (error) {
    if (!(error instanceof Refusal) || typeof error.data.field !== 'string') throw error;
    const data = { ...error.data, field: `${name}.${error.data.field}` };
    throw new Refusal(error.code, error.message, data);
  }
}
