import { distance } from 'fastest-levenshtein';
import type { Goal } from '../../schema/goal.ts';
import type { Problem } from '../../schema/problem.ts';
import { ApiProblem } from './client.ts';
import { oneLine } from './terminal.ts';

type Known = Pick<Goal, 'goalId' | 'objective'>;

/** There is no such goal; those with nearly the same id may be meant. */
export class UnknownGoal extends ApiProblem {
  readonly wayOut: string;

  constructor(problem: Problem, near: readonly Known[]) {
    super(problem);
    this.name = 'UnknownGoal';
    const [first] = near;
    this.wayOut =
      first === undefined
        ? 'See "goalkeeper list".'
        : `Did you mean ${first.goalId} (${oneLine(first.objective, 60)})?`;
  }
}

const MOST_TYPOS = 2;

/** Goals whose ids begin nearly as was typed, the nearest first. */
export function nearest<Goal extends Known>(typed: string, goals: readonly Goal[]): Goal[] {
  const far = (goal: Goal) => distance(typed, goal.goalId.slice(0, Math.max(4, typed.length)));
  return goals
    .map((goal) => ({ goal, by: far(goal) }))
    .filter(({ by }) => by <= MOST_TYPOS)
    .sort((one, other) => one.by - other.by)
    .map(({ goal }) => goal);
}
