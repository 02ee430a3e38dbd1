import type { AmendGoal, Goal } from '../../schema/goal.ts';
import { agentAmendmentIssue, workerOf } from './agents.ts';
import { resolveBudget } from './budget.ts';
import { criteriaIssue, reviewersIssue } from './criteria.ts';
import type { IntakeFacts, ModelFacts } from './facts.ts';
import { firstIssue, type Issue } from './issue.ts';
import { modelIssue } from './models.ts';
import { targetsIssue } from './notify-targets.ts';
import { requirementsIssue } from './requirements.ts';
import { sealedIssue } from './sealed.ts';
import { boundsIssue } from './service-rules.ts';

type AmendmentFacts = Pick<
  IntakeFacts,
  'addresses' | 'agents' | 'rules' | 'models' | 'parse' | 'mask' | 'hasApprover' | 'sealed'
>;

/** The reason against an amendment, judged on the goal as it was read. */
export function amendmentIssue(
  facts: AmendmentFacts,
  goal: Goal,
  amendment: AmendGoal,
): Issue | null {
  const { models } = facts;
  const targets = targetsIssue(facts.addresses, amendment.notify ?? []);
  if (targets !== null) return targets;
  const beyond = boundsIssue(amendment.policy ?? {}, facts.rules.bounds);
  if (beyond !== null) return beyond;
  const budget = resolveBudget(amendment.budget, maximumOf(facts, amendment), goal.budget);
  if (budget.issue !== null) return budget.issue;
  const { costUsd } = budget.value;
  const isPriceAsked = amendment.budget?.costUsd !== undefined;
  const isOwnLoop = workerOf(goal) === undefined;
  const { model = goal.model, fallbackModel = goal.fallbackModel } = amendment;
  return firstIssue(
    () => agentAmendmentIssue(goal, amendment, facts.agents),
    () => amendedRequirementsIssue(goal, amendment),
    () => criteriaIssue(facts, amendment.criteria ?? [], costUsd),
    () =>
      amendment.criteria === undefined && amendment.policy?.proof === undefined
        ? null
        : sealedIssue(amendment.criteria ?? goal.criteria.map(({ spec }) => spec), facts.sealed, {
            scope: goal.scope,
            proof: amendment.policy?.proof ?? goal.policy.proof,
          }),
    () =>
      amendment.criteria === undefined && isPriceAsked
        ? reviewersIssue(models, goal.criteria, costUsd)
        : null,
    () =>
      amendment.model !== undefined || (isPriceAsked && isOwnLoop)
        ? modelIssue(models, 'model', model, isOwnLoop ? costUsd : null)
        : null,
    () =>
      fallbackModel && (amendment.fallbackModel !== undefined || isPriceAsked)
        ? modelIssue(models, 'fallbackModel', fallbackModel, costUsd)
        : null,
  );
}

/** A goal keeps a limit from before the maximum: what an amendment doesn't name isn't judged anew. */
function maximumOf({ rules }: AmendmentFacts, { budget = {} }: AmendGoal) {
  const { tokens, costUsd, turns, activeSeconds } = rules.budgetMaximum;
  return {
    tokens: budget.tokens === undefined ? null : tokens,
    costUsd: budget.costUsd === undefined ? null : costUsd,
    turns: budget.turns === undefined ? null : turns,
    activeSeconds: budget.activeSeconds === undefined ? null : activeSeconds,
  };
}

/** New criteria have no ids yet, so requirements can be bound to them afterwards only. */
const amendedRequirementsIssue = (
  goal: Goal,
  { requirements, removeRequirements }: AmendGoal,
): Issue | null =>
  requirementsIssue(
    { requirements, removeRequirements },
    (goal.requirements ?? []).map(({ requirementId }) => requirementId),
    goal.criteria.map(({ criterionId }) => criterionId),
  );

/** Keys and prices may have gone since the goal was paused. */
export function resumptionIssue(
  models: ModelFacts,
  { agent, model, fallbackModel, criteria, budget: { costUsd } }: Goal,
): Issue | null {
  return firstIssue(
    () => (agent === undefined ? modelIssue(models, 'model', model, costUsd) : null),
    () =>
      costUsd !== null && fallbackModel
        ? modelIssue(models, 'fallbackModel', fallbackModel, costUsd)
        : null,
    () => (costUsd === null ? null : reviewersIssue(models, criteria, costUsd)),
  );
}
