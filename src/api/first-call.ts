import { buildRequest, SOME_MARK } from '../context/context.ts';
import type { GoalBrief } from '../contract/goal-brief.ts';
import type { NewGoal } from '../contract/intake.ts';
import type { ModelPort } from '../contract/model.ts';
import { noUsage } from '../goal/budget/budget.ts';
import type { Registry } from '../tools/registry.ts';

/** Allowance for the host's opening of the first turn; the rest is built as the worker does. */
const OPENING_WORDS = 100;

/** A fixed id keeps estimates repeatable: ids of one length differ in their number of tokens. */
const SOME_ID = 'g-0123456789abcdef';

/** Input tokens of a goal's first model call, as its worker will estimate them. */
export function createFirstCallEstimate(
  model: Pick<ModelPort, 'countTokens'>,
  tools: Pick<Registry, 'declarations'>,
): (goal: NewGoal) => number {
  return (goal) => {
    const request = buildRequest({
      brief: firstBrief(goal),
      kind: 'start',
      messages: [],
      tools: tools.declarations(goal.mode),
      model,
      hostMark: SOME_MARK,
    });
    return request.estimatedInput + OPENING_WORDS;
  };
}

function firstBrief(goal: NewGoal): GoalBrief {
  const { objective, mode, model, fallbackModel, criteria, budget, policy } = goal;
  return {
    goalId: SOME_ID,
    objective,
    mode,
    model,
    fallbackModel,
    fallback: null,
    revision: 1,
    generation: 0,
    textTokens: goal.textTokens === true,
    election: null,
    criteria,
    criteriaRevision: 1,
    budget,
    usage: noUsage,
    policy,
    todos: { revision: 0, items: [] },
    plan: null,
    workspace: { name: goal.workspace, path: '', marker: '', writeSeq: 0 },
    limit: null,
    baseline: null,
    detectsCriteria: false,
    lastDecision: null,
  };
}
