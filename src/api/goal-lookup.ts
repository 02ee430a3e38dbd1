import type { Goal } from '../../schema/goal.ts';
import { Refusal } from '../contract/failures.ts';
import type { ReaderPort } from '../contract/reads.ts';

export async function existingGoal(reader: ReaderPort, goalId: string): Promise<Goal> {
  const goal = await reader.goal(goalId);
  if (goal === null) throw new Refusal('not_found', `There is no goal ${goalId}.`, { goalId });
  return goal;
}

/** By its id or the beginning of it, where only one goal begins so. */
export async function goalByPrefix(reader: ReaderPort, prefix: string): Promise<Goal> {
  const exact = await reader.goal(prefix);
  if (exact !== null) return exact;
  const [first, second] = isIdPart(prefix) ? await reader.goalIds(prefix) : [];
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

/** Anything else could mean more than itself in a search. */
function isIdPart(text: string): boolean {
  return /^[A-Za-z0-9-]+$/.test(text);
}

export async function existingThreadGoal(reader: ReaderPort, threadId: string): Promise<Goal> {
  const goal = await reader.threadGoal(threadId);
  if (goal !== null) return goal;
  throw new Refusal('not_found', `The thread ${threadId} has no current goal.`, { threadId });
}
