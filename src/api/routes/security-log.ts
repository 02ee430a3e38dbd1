import { z } from 'zod';
import { chainVerdictSchema } from '../../../schema/ledger.ts';
import { securityEntrySchema, securityFilter } from '../../../schema/security-log.ts';
import type { Route } from '../application.ts';
import { operation, pageOf, pageQuery } from '../contract.ts';

const { config, describe } = operation('getSecurityLog', {
  tag: 'service',
  summary: 'Who did what from where: sign-ins, tokens, and all that was refused; newest first',
  answer: pageOf(securityEntrySchema),
});

const verify = operation('verifySecurityLog', {
  tag: 'service',
  summary: 'Is every entry of the security log what was written?',
  answer: chainVerdictSchema,
});

const querystring = z.strictObject({ ...pageQuery, ...securityFilter });

export const securityLogRoute: Route<'securityLog'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/security-log',
    config,
    schema: { ...describe, querystring },
    handler: ({ query }) => ports.securityLog.page(query),
  });
  application.route({
    method: 'GET',
    url: '/v1/security-log/verify',
    config: verify.config,
    schema: verify.describe,
    handler: () => ports.securityLog.verify(),
  });
};
