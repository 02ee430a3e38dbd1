import { Readable } from 'node:stream';
import { z } from 'zod';
import { Refusal } from '../../contract/failures.ts';
import type { Route } from '../application.ts';
import { goalParams, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';

const { config, describe } = operation('getOutput', {
  tag: 'record',
  summary: 'The output of a call, whole or a part of it, as bytes',
  answer: z.string(),
  type: 'text/plain',
});

/** Bytes. */
const querystring = z.strictObject({
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).optional(),
});

const params = goalParams.extend({ seq: z.coerce.number().int().min(1).max(2_147_483_647) });

export const getOutputRoute: Route<'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/ledger/:seq/output',
    config,
    schema: { ...describe, params, querystring },
    handler: async (request, reply) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const { seq } = request.params;
      const { offset, limit = Number.MAX_SAFE_INTEGER } = request.query;
      const output = await ports.reader.output(goalId, seq, { offset, limit });
      if (output === null)
        throw new Refusal('not_found', `Row ${seq} keeps no output.`, { goalId, seq });
      return reply
        .type('text/plain; charset=utf-8')
        .header('content-length', Math.max(0, Math.min(limit, output.bytes - offset)))
        .header('x-output-bytes', output.bytes)
        .send(Readable.from(output.pieces));
    },
  });
};
