import type { FollowingGoal, StartGoal } from '../../schema/goal.ts';
import { layered } from './terms/layered.ts';

/** What a goal that comes right after another says, and where it says nothing what that one said. */
export function termsAfter(first: StartGoal, next: FollowingGoal): StartGoal {
  return layered<StartGoal>(
    { ...sharedTerms(first), objective: next.objective },
    { ...next, workspace: first.workspace },
  );
}

/** Not: what is one goal's alone, and a base, with which the work before would count for the next. */
function sharedTerms({
  criteria,
  budget,
  model,
  fallbackModel,
  agent,
  policy,
  scope,
  setup,
  textTokens,
  priority,
  notify,
}: StartGoal): Partial<StartGoal> {
  const { change, keep } = scope ?? {};
  return {
    criteria,
    budget,
    model,
    fallbackModel,
    agent,
    policy,
    ...(change === undefined ? {} : { scope: { change, ...(keep === undefined ? {} : { keep }) } }),
    setup,
    textTokens,
    priority,
    notify,
  };
}
