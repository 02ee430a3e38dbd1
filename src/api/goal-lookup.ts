import type { Goal } from '../../schema/goal.ts';
import { Refusal } from '../contract/failures.ts';
import type { ReaderPort } from '../contract/reads.ts';
import type { Sight } from '../contract/sight.ts';

export const noSuchGoal = (goalId: string): Refusal =>
  new Refusal('not_found', `There is no goal ${goalId}.`, { goalId });

export const noThreadGoal = (threadId: string): Refusal =>
  new Refusal('not_found', `The thread ${threadId} has no current goal.`, { threadId });

export const noSuchSchedule = (scheduleId: string): Refusal =>
  new Refusal('not_found', `There is no schedule ${scheduleId}.`, { scheduleId });

export async function existingGoal(reader: ReaderPort, goalId: string): Promise<Goal> {
  const goal = await reader.goal(goalId);
  if (goal === null) throw noSuchGoal(goalId);
  return goal;
}

/** Finds a goal by its id or by a prefix of it that is unique among the goals in sight. */
export async function goalByPrefix(
  reader: ReaderPort,
  prefix: string,
  sight: Sight,
): Promise<Goal> {
  const exact = await reader.goal(prefix);
  if (exact !== null) return exact;
  const [first, second] = isIdPart(prefix) ? await reader.goalIds(prefix, sight) : [];
  if (first !== undefined && second !== undefined) {
    throw new Refusal(
      'not_found',
      `More than one goal begins with ${prefix}: give more of its id.`,
      {
        goalId: prefix,
        candidates: [first, second],
      },
    );
  }
  return existingGoal(reader, first ?? prefix);
}

/** Other characters could be wildcards in a search. */
function isIdPart(text: string): boolean {
  return /^[A-Za-z0-9-]+$/.test(text);
}

interface ThreadRequest {
  readonly params: { readonly threadId: string };
  /** null where the caller sees all goals. */
  readonly judgedGoalId: string | null;
}

/** The current goal of a thread, unless it is another one by now than the caller may see. */
export async function threadGoalInSight(
  reader: ReaderPort,
  { params: { threadId }, judgedGoalId }: ThreadRequest,
): Promise<Goal | null> {
  const goal = await reader.threadGoal(threadId);
  return judgedGoalId === null || goal?.goalId === judgedGoalId ? goal : null;
}
