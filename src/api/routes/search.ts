import { z } from 'zod';
import { foundSchema } from '../../../schema/search.ts';
import { wordSchema } from '../../../schema/text.ts';
import { sightOf } from '../../policy/sight.ts';
import { principalOf, type Route } from '../application.ts';
import { operation, pageOf } from '../contract.ts';
import { foundIn } from '../found-in.ts';

const { config, describe } = operation('search', {
  tag: 'goals',
  summary:
    'Goals whose turns, messages or ledger hold these words, last changed first, with where. It looks for about a second; `nextCursor` looks on from there, also where nothing was found yet',
  answer: pageOf(foundSchema),
});

const querystring = z.strictObject({
  q: wordSchema(200).min(2),
  cursor: wordSchema(200).optional(),
  limit: z.coerce.number().int().min(1).max(50).default(10),
});

const PATIENCE_MS = 1000;

export const searchRoute: Route<'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/search',
    config,
    schema: { ...describe, querystring },
    handler: async (request) => {
      const { cursor, ...asked } = request.query;
      const sight = sightOf(principalOf(request));
      const page = { ...asked, sight, ...(cursor === undefined ? {} : { cursor }) };
      const until = performance.now() + PATIENCE_MS;
      return await foundIn(ports, await ports.reader.goalsHolding(page), {
        sight,
        q: asked.q,
        until,
      });
    },
  });
};
