import { z } from 'zod';
import { wordSchema } from '../../../schema/text.ts';
import { turnOutlineSchema } from '../../../schema/turn.ts';
import type { Route } from '../application.ts';
import { goalParams, operation, pageOf } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';

const { config, describe } = operation('getTimeline', {
  tag: 'record',
  summary: 'Turns without their texts, newest first: what a picture of the whole goal needs',
  answer: pageOf(turnOutlineSchema),
});

const querystring = z.strictObject({
  cursor: wordSchema(200).optional(),
  limit: z.coerce.number().int().min(1).max(2000).default(500),
});

export const getTimelineRoute: Route<'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/timeline',
    config,
    schema: { ...describe, params: goalParams, querystring },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const { cursor, limit } = request.query;
      return ports.reader.timeline(goalId, cursor === undefined ? { limit } : { cursor, limit });
    },
  });
};
