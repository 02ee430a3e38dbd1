import { z } from 'zod';
import { budgetSchema, usageSchema } from '../../../schema/budget.ts';
import type { Route } from '../application.ts';
import { goalParams, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';

const { config, describe } = operation('getUsage', {
  tag: 'record',
  summary: 'What was used, of what is allowed, turn by turn',
  answer: z.object({ usage: usageSchema, budget: budgetSchema, series: z.array(z.unknown()) }),
});

export const getUsageRoute: Route = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/usage',
    config,
    schema: { ...describe, params: goalParams },
    handler: async (request) => {
      const { goalId, usage, budget } = await existingGoal(ports.reader, request.params.goalId);
      return { usage, budget, series: await ports.reader.usageSeries(goalId) };
    },
  });
};
