import type { Goal } from '../api/types.ts';
import { nextAct } from './actor.ts';

/** What a goal does, for one side of a conflict. */
export function stateText(goal: Goal): string {
  const { reason } = nextAct(goal, true);
  return `${goal.status.replace('_', ' ')}: ${reason}`;
}

export const isSameStatus = (before: Goal, now: Goal): boolean =>
  before.status === now.status && before.archivedAt === now.archivedAt;

export const isSamePause = (before: Goal, now: Goal): boolean =>
  isSameStatus(before, now) && before.pause?.since === now.pause?.since;
