import type { Goal } from '../../../schema/goal.ts';
import { describeCriterion } from '../../record/criterion-text.ts';
import { oneLine } from '../terminal.ts';

/** How the goal stands for a session that may stop. */
export function standingWords(goal: Goal): string {
  const { goalId, status, pause, completion, activity } = goal;
  if (status === 'complete')
    return `${goalId} is complete (${(completion?.verification ?? 'verified').replaceAll('_', ' ')}).`;
  if (goal.archivedAt !== undefined) return `${goalId} was cleared; nothing is judged here.`;
  if (pause !== undefined) {
    const why = oneLine(pause.message, 300);
    return `${goalId} is paused (${pause.reason}): ${why} "goalkeeper show ${goalId}" has more, "goalkeeper resume ${goalId}" goes on.`;
  }
  if (status === 'budget_limited') {
    const limit = activity.state === 'idle' ? ` (${activity.reason})` : '';
    return `${goalId} has used up its budget${limit}: "goalkeeper amend ${goalId}" raises it.`;
  }
  return `${goalId} waits for ${activity.actor}: ${oneLine(activity.reason, 300)}`;
}

export const provingWords = ({ goalId }: Goal): string =>
  `${goalId} is still being proved. The service goes on with it, and the session may end: "goalkeeper watch ${goalId}" shows what comes of it.`;

/** The goal for a session that begins, or has forgotten it. */
export function goalWords(goal: Goal): string {
  const { goalId, objective, criteria, budget, usage } = goal;
  const checks = criteria.map(
    ({ criterionId, spec, state }) => `- ${criterionId} (${state}): ${describeCriterion(spec)}`,
  );
  const left = budget.turns === null ? [] : [`Turns left: ${budget.turns - usage.turns}.`];
  return [
    `Goalkeeper judges the work in this folder (goal ${goalId}). Each time you stop, the host itself checks whether the goal is reached; until it is, you are told what is missing and go on. Saying that it is done changes nothing.`,
    `<objective>\n${objective.replaceAll('<', '&lt;')}\n</objective>`,
    checks.length === 0
      ? 'No criteria are set: a person will judge.'
      : `<criteria>\n${checks.join('\n')}\n</criteria>`,
    "The proof runs on the files as they were when the goal began, with your changes of the work itself and nothing else. Don't weaken, skip or delete checks and tests. Where only the person can help, ask them and stop.",
    ...left,
    ...(goal.status === 'active' ? [] : [`Now: ${standingWords(goal)}`]),
  ].join('\n\n');
}
