import { z } from 'zod';
import { planSchema } from '../../../schema/todo.ts';
import type { Route } from '../application.ts';
import { goalParams, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';

const { config, describe } = operation('getPlan', {
  tag: 'record',
  summary: 'The plan as the model last wrote it; null where it wrote none',
  answer: z.strictObject({ plan: planSchema.nullable() }),
});

export const getPlanRoute: Route<'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/plan',
    config,
    schema: { ...describe, params: goalParams },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      return { plan: await ports.reader.plan(goalId) };
    },
  });
};
