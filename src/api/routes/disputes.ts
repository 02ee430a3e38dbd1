import { z } from 'zod';
import { decideDisputeSchema, disputeSchema } from '../../../schema/dispute.ts';
import { wordSchema } from '../../../schema/text.ts';
import type { Route } from '../application.ts';
import { goalParams, mutation, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { type MutationNeeds, mutateGoal } from '../mutation.ts';

const list = operation('listDisputes', {
  tag: 'approvals',
  summary: "Criteria that the model disputed, with the counter-examples' runs; oldest first",
  answer: z.strictObject({ items: z.array(disputeSchema) }),
});

const decide = mutation('decideDispute', {
  tag: 'approvals',
  summary: 'Insist on a disputed criterion, or end the goal as infeasible; or amend the criteria',
});

const params = goalParams.extend({ disputeId: wordSchema(120) });

export const disputeRoutes: Route<'reader' | MutationNeeds> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/disputes',
    config: list.config,
    schema: { ...list.describe, params: goalParams },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      return { items: await ports.reader.disputes(goalId) };
    },
  });

  application.route({
    method: 'POST',
    url: '/v1/goals/:goalId/disputes/:disputeId',
    config: decide.config,
    schema: { ...decide.describe, params, body: decideDisputeSchema },
    handler: async (request, reply) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const { disputeId } = request.params;
      const { decision } = request.body;
      const change = { kind: 'dispute', disputeId, decision } as const;
      return mutateGoal(ports, { request, reply }, goalId, change);
    },
  });
};
