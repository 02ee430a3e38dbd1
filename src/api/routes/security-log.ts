import { z } from 'zod';
import { securityEntrySchema } from '../../../schema/security-log.ts';
import type { Route } from '../application.ts';
import { operation, pageOf, pageQuery } from '../contract.ts';

const { config, describe } = operation('getSecurityLog', {
  tag: 'service',
  summary: 'Who did what from where: sign-ins, tokens, and all that was refused; newest first',
  answer: pageOf(securityEntrySchema),
});

const querystring = z.strictObject(pageQuery);

export const securityLogRoute: Route<'securityLog'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/security-log',
    config,
    schema: { ...describe, querystring },
    handler: ({ query: { cursor, limit } }) =>
      ports.securityLog.page(cursor === undefined ? { limit } : { cursor, limit }),
  });
};
