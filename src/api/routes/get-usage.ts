import { z } from 'zod';
import { usageReportSchema } from '../../../schema/usage.ts';
import type { Route } from '../application.ts';
import { cachedShare } from '../cached-share.ts';
import { goalParams, operation, pageQuery } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';

const querystring = z.strictObject(pageQuery);

const { config, describe } = operation('getUsage', {
  tag: 'record',
  summary:
    'What was used, of what is allowed: turn by turn, call by call, and added up from the calls',
  answer: usageReportSchema,
});

export const getUsageRoute: Route<'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/usage',
    config,
    schema: { ...describe, params: goalParams, querystring },
    handler: async (request) => {
      const { reader } = ports;
      const { cursor, limit } = request.query;
      const { goalId, usage, budget } = await existingGoal(reader, request.params.goalId);
      const [series, stepSums, steps, setAside] = await Promise.all([
        reader.usageSeries(goalId),
        reader.usageOfSteps(goalId),
        reader.usageSteps(goalId, cursor === undefined ? { limit } : { cursor, limit }),
        reader.setAside(goalId),
      ]);
      const { items, nextCursor } = steps;
      const sums = { usage, cachedShare: cachedShare(usage), budget, setAside };
      return { ...sums, series, stepSums, steps: [...items], nextCursor };
    },
  });
};
