import type { Goal } from '../api/types.ts';

export type Group = 'you' | 'agent' | 'waiting' | 'team' | 'complete';

export const groupOrder: readonly Group[] = ['you', 'agent', 'waiting', 'team', 'complete'];

export const groupTitles: Readonly<Record<Group, { title: string; hint: string }>> = {
  you: { title: 'Needs you', hint: 'nothing moves until a person acts' },
  agent: { title: 'Running', hint: 'an agent works now' },
  waiting: { title: 'Waiting', hint: 'goes on by itself' },
  team: { title: 'With others', hint: 'waits for a delegate or for another goal' },
  complete: { title: 'Complete', hint: '' },
};

export function groupOf({ status, archivedAt, activity }: Goal): Group {
  if (status === 'complete' || archivedAt !== undefined) return 'complete';
  switch (activity.actor) {
    case 'You':
      return 'you';
    case 'Agent':
      return 'agent';
    case 'Team':
      return 'team';
    default:
      return 'waiting';
  }
}

export type ListLine =
  | { readonly kind: 'group'; readonly group: Group; readonly loaded: number }
  | { readonly kind: 'goal'; readonly goal: Goal };

/** Goals under their headings; within one, the order that they came in. */
export function inGroups(goals: readonly Goal[]): ListLine[] {
  return groupOrder.flatMap((group): ListLine[] => {
    const members = goals.filter((goal) => groupOf(goal) === group);
    if (members.length === 0) return [];
    const rows = members.map((goal) => ({ kind: 'goal', goal }) as const);
    return [{ kind: 'group', group, loaded: members.length }, ...rows];
  });
}

/**
 * The order as it was, with what came since behind it: a row under the pointer doesn't move. What
 * is gone leaves.
 */
export function inHeldOrder(goals: readonly Goal[], held: readonly string[]): Goal[] {
  const place = new Map(held.map((goalId, index) => [goalId, index]));
  const placeOf = ({ goalId }: Goal) => place.get(goalId) ?? held.length;
  return [...goals].sort((left, right) => placeOf(left) - placeOf(right));
}
