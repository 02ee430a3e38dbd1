import type { Goal } from '../api/types.ts';

export type Group = 'you' | 'agent' | 'waiting' | 'team' | 'complete';

export const groupOrder: readonly Group[] = ['you', 'agent', 'waiting', 'team', 'complete'];

export const groupTitles: Readonly<Record<Group, { title: string; hint: string }>> = {
  you: { title: 'Needs you', hint: 'nothing moves until a person acts' },
  agent: { title: 'Running', hint: 'an agent works now' },
  waiting: { title: 'Waiting', hint: 'for a time, a provider or a worker' },
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
  | { readonly kind: 'goal'; readonly group: Group; readonly goal: Goal };

/** A goal's place when its reader began to point at the list. */
export interface Place {
  readonly goalId: string;
  readonly group: Group;
}

/**
 * Groups goals under their headings, in the given order. While `held`, every row stays in place:
 * new rows that would push others down wait, and rows after the last one are appended.
 */
export function arrange(goals: readonly Goal[], held: readonly Place[] | null): ListLine[] {
  if (held === null) return underHeadings(goals.map((goal) => ({ goal, group: groupOf(goal) })));
  const byId = new Map(goals.map((goal) => [goal.goalId, goal]));
  const known = new Set(held.map(({ goalId }) => goalId));
  const last = goals.findLastIndex(({ goalId }) => known.has(goalId));
  const kept = held.flatMap(({ goalId, group }) => {
    const goal = byId.get(goalId);
    return goal === undefined ? [] : [{ goal, group }];
  });
  const later = goals.slice(last + 1).map((goal) => ({ goal, group: groupOf(goal) }));
  return underHeadings([...kept, ...later]);
}

function underHeadings(placed: readonly { goal: Goal; group: Group }[]): ListLine[] {
  return groupOrder.flatMap((group): ListLine[] => {
    const rows = placed
      .filter((one) => one.group === group)
      .map(({ goal }) => ({ kind: 'goal', goal, group }) as const);
    return rows.length === 0 ? [] : [{ kind: 'group', group, loaded: rows.length }, ...rows];
  });
}

/** The value by which `arrange` keeps these lines in place. */
export const placesOf = (lines: readonly ListLine[]): Place[] =>
  lines.flatMap((line) =>
    line.kind === 'goal' ? [{ goalId: line.goal.goalId, group: line.group }] : [],
  );
