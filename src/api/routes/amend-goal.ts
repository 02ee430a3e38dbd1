import { type AmendGoal, amendGoalSchema, type Goal } from '../../../schema/goal.ts';
import { amendmentIssue } from '../../intake/resolve-amendment.ts';
import { toldCriteria } from '../../intake/sealed.ts';
import { sightOf } from '../../policy/sight.ts';
import { principalOf, type Route } from '../application.ts';
import { goalParams, mutation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { readStandingFacts, type StandingNeeds } from '../intake-facts.ts';
import { type MutationNeeds, mutateGoal } from '../mutation.ts';
import { refuseUnworkable } from '../refuse-commands.ts';

const { config, describe } = mutation('amendGoal', {
  tag: 'goals',
  summary: 'Change objective, criteria, budget, model, policy, mode or webhooks; id and usage stay',
});

export const amendGoalRoute: Route<'reader' | MutationNeeds | StandingNeeds> = (
  application,
  ports,
) => {
  application.route({
    method: 'PATCH',
    url: '/v1/goals/:goalId',
    config,
    schema: { ...describe, params: goalParams, body: amendGoalSchema },
    handler: async (request, reply) => {
      const goal = await existingGoal(ports.reader, request.params.goalId);
      const change = {
        kind: 'amend',
        judged: touchesPrice(request.body) ? judgedOf(goal) : undefined,
        budget: request.body.budget,
        policy: withoutRules(request.body.policy),
        changesCriteria: request.body.criteria !== undefined,
        changesRequirements: touchesRequirements(request.body),
        mode: request.body.mode,
        changesObjective: request.body.objective !== undefined,
        changesModel: request.body.model !== undefined || request.body.fallbackModel !== undefined,
      } as const;
      const { criteria } = request.body;
      const present = goal.criteria.map(({ spec }) => spec);
      const facts = await readStandingFacts(ports, {
        criteria: criteria ?? present,
        held: present,
        sight: sightOf(principalOf(request)),
      });
      // The stored request is what the record takes the criteria from.
      if (criteria !== undefined) {
        request.body = { ...request.body, criteria: [...toldCriteria(criteria, facts.sealed)] };
      }
      return mutateGoal(ports, { request, reply }, goal.goalId, change, async () => {
        if (request.body.mode === 'agent' && goal.mode !== 'agent') {
          await refuseUnworkable(ports, goal);
        }
        return amendmentIssue(facts, goal, request.body);
      });
    },
  });
};

/** The rules stay in the request, because workflows carry only what their own rules need. */
function withoutRules(policy: AmendGoal['policy']): AmendGoal['policy'] {
  if (policy === undefined) return undefined;
  const { tools: _, ...rest } = policy;
  return rest;
}

const touchesRequirements = ({ requirements, removeRequirements }: AmendGoal): boolean =>
  requirements !== undefined || removeRequirements !== undefined;

const touchesPrice = ({ model, fallbackModel, budget }: AmendGoal): boolean =>
  model !== undefined || fallbackModel !== undefined || budget?.costUsd !== undefined;

const judgedOf = ({ model, fallbackModel, budget }: Goal) => ({
  model,
  fallbackModel: fallbackModel ?? null,
  costUsd: budget.costUsd,
});
