import { z } from 'zod';
import { wordSchema } from '../../../schema/text.ts';
import { turnSchema } from '../../../schema/turn.ts';
import type { Route } from '../application.ts';
import { goalParams, operation, pageOf, pageQuery } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';

const { config, describe } = operation('listTurns', {
  tag: 'record',
  summary: 'Turns with their decision records and messages',
  answer: pageOf(turnSchema),
});

const querystring = z.strictObject({
  before: z.coerce.number().int().min(1).max(2_147_483_647).describe('Only older ones').optional(),
  q: wordSchema(200).describe('Only those whose messages or decision hold these words').optional(),
  ...pageQuery,
});

export const listTurnsRoute: Route<'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/turns',
    config,
    schema: { ...describe, params: goalParams, querystring },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const { cursor, limit, before, q } = request.query;
      return ports.reader.turns(goalId, {
        limit,
        ...(cursor === undefined ? {} : { cursor }),
        ...(before === undefined ? {} : { before }),
        ...(q === undefined ? {} : { q }),
      });
    },
  });
};
