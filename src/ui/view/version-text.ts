import { hashKey } from '@tanstack/react-query';
import type { Goal } from '../api/types.ts';
import { nextAct } from './actor.ts';
import { criterionText } from './criterion-text.ts';
import { statusInText } from './status-words.ts';

/** A goal's activity, for one side of a conflict. */
export function stateText(goal: Goal): string {
  const { reason } = nextAct(goal, true);
  return `${statusInText(goal.status)}: ${reason}`;
}

export const isSameStatus = (before: Goal, now: Goal): boolean =>
  before.status === now.status && before.archivedAt === now.archivedAt;

export const isSamePause = (before: Goal, now: Goal): boolean =>
  isSameStatus(before, now) && before.pause?.since === now.pause?.since;

/** Tells whether the question is still the same; its evidence may change. */
export const isSamePromise = (before: Goal, now: Goal): boolean =>
  isSameStatus(before, now) && isSameObjective(before, now) && areSameCriteria(before, now);

/** The changes to a goal by another user, as far as they matter for a decision. */
export function promiseText(before: Goal, now: Goal): string {
  return [
    ...(isSameStatus(before, now) ? [] : [stateText(now)]),
    ...(isSameObjective(before, now) ? [] : [`Objective: ${now.objective}`]),
    ...(areSameCriteria(before, now) ? [] : [`Criteria: ${criteriaText(now)}`]),
  ].join('\n');
}

const isSameObjective = (before: Goal, now: Goal): boolean => before.objective === now.objective;

/** Fields of equal criteria may come in another order. */
const areSameCriteria = (before: Goal, now: Goal): boolean => specsOf(before) === specsOf(now);

const specsOf = ({ criteria }: Goal): string => hashKey(criteria.map(({ spec }) => spec));

export const criteriaText = ({ criteria }: Goal): string =>
  criteria.length === 0
    ? 'none'
    : criteria
        .map(criterionText)
        .map(({ what, rule }) => `${what} (${rule})`)
        .join('; ');
