import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { keys } from '../api/keys.ts';
import type { Goal } from '../api/types.ts';

interface Page {
  readonly items: readonly Goal[];
  readonly nextCursor: string | null;
}

type Pages = InfiniteData<Page, string | null>;

/** An action's answer may overtake a notice, so an older revision changes nothing. */
export function isNewer(goal: Goal, known: Goal): boolean {
  if (goal.revision !== known.revision) return goal.revision > known.revision;
  return goal.usage.steps >= known.usage.steps && goal.updatedAt >= known.updatedAt;
}

/** Puts a goal where it is known; tells whether lists may now hold others, or in another order. */
export function patchGoal(client: QueryClient, goal: Goal): 'in_place' | 'moved' {
  client.setQueryData<Goal>(keys.goal(goal.goalId), (known) =>
    known === undefined || isNewer(goal, known) ? goal : known,
  );
  let isKnown = false;
  let hasMoved = false;
  client.setQueriesData<Pages>({ queryKey: keys.allGoals }, (data) => {
    if (data === undefined) return data;
    const before = data.pages
      .flatMap(({ items }) => items)
      .find((one) => one.goalId === goal.goalId);
    if (before === undefined) return data;
    isKnown = true;
    if (!isNewer(goal, before)) return data;
    hasMoved ||= placeOf(before) !== placeOf(goal);
    return { ...data, pages: data.pages.map((page) => withGoal(page, goal)) };
  });
  return isKnown && !hasMoved ? 'in_place' : 'moved';
}

const withGoal = (page: Page, goal: Goal): Page => ({
  ...page,
  items: page.items.map((one) => (one.goalId === goal.goalId ? goal : one)),
});

const placeOf = ({ status, activity, archivedAt }: Goal): string =>
  `${status} ${activity.actor} ${archivedAt ?? ''}`;
