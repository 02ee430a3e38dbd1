import { z } from 'zod';
import { Refusal } from '../../goal/errors.ts';
import type { Route } from '../application.ts';
import { goalParams, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';

const { config, describe } = operation('getOutput', {
  tag: 'record',
  summary: 'The whole output of a call, as bytes',
  answer: z.string().describe('text/plain'),
});

const params = goalParams.extend({ seq: z.coerce.number().int().min(1) });

export const getOutputRoute: Route = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/ledger/:seq/output',
    config,
    schema: { ...describe, params },
    handler: async (request, reply) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const { seq } = request.params;
      const output = await ports.reader.output(goalId, seq);
      if (output === null)
        throw new Refusal('not_found', `Row ${seq} keeps no output.`, { goalId, seq });
      return reply.type('text/plain; charset=utf-8').send(Buffer.from(output));
    },
  });
};
