import type { GoalStatus } from '../../schema/goal.ts';

/** What a client may do to a goal that is there. */
export type Verb =
  | 'amend'
  | 'budget'
  | 'pause'
  | 'resume'
  | 'message'
  | 'steer'
  | 'complete'
  | 'clear';

/** As much of a goal's state as the rules of its mutations need. */
export interface Standing {
  readonly status: GoalStatus;
  readonly isArchived: boolean;
}

const TAKEN_IN: Record<Verb, readonly GoalStatus[]> = {
  amend: ['active', 'paused', 'budget_limited'],
  budget: ['active', 'paused', 'budget_limited'],
  pause: ['active'],
  resume: ['paused'],
  message: ['active', 'paused'],
  steer: ['active'],
  complete: ['active', 'paused', 'budget_limited'],
  clear: ['active', 'paused', 'budget_limited', 'complete'],
};

export function accepts(verb: Verb, { status, isArchived }: Standing): boolean {
  return !isArchived && TAKEN_IN[verb].includes(status);
}

/** Where an accepted mutation leads; `isOver` = a limit of the new budget is used up. */
export function leadsTo(verb: Verb, before: GoalStatus, isOver: boolean): GoalStatus {
  switch (verb) {
    case 'pause':
      return 'paused';
    case 'complete':
      return 'complete';
    case 'resume':
      return isOver ? 'budget_limited' : 'active';
    case 'message':
      // A turn that began may end, whatever is left.
      return isOver && before === 'paused' ? 'budget_limited' : 'active';
    case 'budget':
      if (before === 'paused') return 'paused';
      return isOver ? 'budget_limited' : 'active';
    case 'amend':
    case 'steer':
    case 'clear':
      return before;
  }
}

/** The event that tells of it. */
export const EVENT_OF: Record<Verb, string> = {
  amend: 'goal.amended',
  budget: 'goal.amended',
  pause: 'goal.paused',
  resume: 'goal.resumed',
  message: 'goal.messaged',
  steer: 'goal.messaged',
  complete: 'goal.completed',
  clear: 'goal.cleared',
};

/** A thread takes a new goal where none is in its slot, or a complete one, or the one that is named. */
export function mayStart(
  current: { readonly goalId: string; readonly status: GoalStatus } | null,
  slot: { readonly expectedGoalId?: string | null; readonly replace?: boolean },
): boolean {
  const { expectedGoalId, replace } = slot;
  if (expectedGoalId !== undefined && expectedGoalId !== (current?.goalId ?? null)) return false;
  if (current === null || current.status === 'complete') return true;
  return replace === true && expectedGoalId === current.goalId;
}
