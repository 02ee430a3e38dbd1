import type { Goal } from '../api/types.ts';
import { rowOf } from './criterion-form.ts';
import { policyFormOf } from './policy-form.ts';
import { emptyForm, type StartForm } from './start-form.ts';

const numberText = (value: number | null): string => (value === null ? 'none' : String(value));

/** The terms of a goal as the start form has them: another one can begin with them. */
export function formOfGoal(goal: Goal): StartForm {
  const { budget, workspace, requirements = [] } = goal;
  // What the host inferred it infers again.
  const scope = goal.scope?.setBy === 'host' ? undefined : goal.scope;
  const criteria = goal.criteria.filter(({ origin }) => origin !== 'detected');
  const { activeSeconds } = budget;
  return {
    ...emptyForm(),
    objective: goal.objective,
    criteria: criteria.map(({ spec }) => rowOf(spec)),
    tokens: numberText(budget.tokens),
    costUsd: budget.costUsd ?? 'none',
    turns: numberText(budget.turns),
    hours: activeSeconds === null ? 'none' : String(activeSeconds / 3600),
    workspace: workspace.name,
    tree: workspace.mode,
    agent: goal.agent ?? '',
    model: goal.model,
    fallbackModel: goal.fallbackModel ?? '',
    mode: goal.mode,
    requirements: requirements.map(({ text }) => text.replace(/\s*\n\s*/g, ' ')).join('\n'),
    change: scope?.change.join('\n') ?? '',
    keep: scope?.keep.join('\n') ?? '',
    base: scope?.baseName ?? scope?.base ?? '',
    policy: policyFormOf(goal.policy),
  };
}
