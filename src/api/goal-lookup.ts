import type { Goal } from '../../schema/goal.ts';
import { Refusal } from '../contract/failures.ts';
import type { ReaderPort } from '../contract/reads.ts';
import type { RemovedGoal } from '../contract/removed-goals.ts';
import type { Sight } from '../contract/sight.ts';
import { wholeSight } from '../policy/sight.ts';

export const noSuchGoal = (goalId: string): Refusal =>
  new Refusal('not_found', `There is no goal ${goalId}.`, { goalId });

export const noThreadGoal = (threadId: string): Refusal =>
  new Refusal('not_found', `The thread ${threadId} has no current goal.`, { threadId });

export const noSuchSchedule = (scheduleId: string): Refusal =>
  new Refusal('not_found', `There is no schedule ${scheduleId}.`, { scheduleId });

/** @param named of the request, where the goal is not what its path names */
export async function existingGoal(
  reader: ReaderPort,
  goalId: string,
  named: { readonly field?: string } = {},
): Promise<Goal> {
  const goal = await reader.goal(goalId);
  if (goal !== null) return goal;
  const removed = await reader.removedGoal(goalId, wholeSight);
  throw removed?.goalId === goalId ? goalRemoved(removed, named) : noSuchGoal(goalId);
}

/** It is gone for good; its archive is a file that a person reads. */
function goalRemoved({ goalId, removedAt, archive }: RemovedGoal, named: object = {}): Refusal {
  const when = `was removed on ${removedAt.slice(0, 10)}`;
  const detail =
    archive === null
      ? `${goalId} ${when}, and the security log has no entry that holds which says that retention did it: verify it and the anchors.`
      : `${goalId} ${when}, as retention says. Its archive is ${archive.path} on ${archive.host}.`;
  return new Refusal('goal_removed', detail, { goalId, removedAt, archive, ...named });
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
  if (first !== undefined) return existingGoal(reader, first);
  const removed = isIdPart(prefix) ? await reader.removedGoal(prefix, sight) : null;
  throw removed === null ? noSuchGoal(prefix) : goalRemoved(removed);
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
