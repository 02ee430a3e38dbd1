import { z } from 'zod';
import { anchorSchema, anchorStateSchema, anchorVerdictSchema } from '../../../schema/anchor.ts';
import type { Route } from '../application.ts';
import { operation } from '../contract.ts';

const state = operation('getAnchors', {
  tag: 'service',
  summary: 'The newest signed head of the whole record, and the places that keep it',
  answer: anchorStateSchema,
});

const verify = operation('verifyAnchors', {
  tag: 'service',
  summary: 'Is the database the one that was anchored?',
  answer: anchorVerdictSchema,
});

/** Absent = what the configured files and git refs keep. */
const body = z.strictObject({ anchors: z.array(anchorSchema).max(100_000).optional() });
const MOST_BYTES = 64 * 1024 * 1024;

export const anchorRoutes: Route<'anchors'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/anchors',
    config: state.config,
    schema: state.describe,
    handler: () => ports.anchors.state(),
  });
  application.route({
    method: 'POST',
    url: '/v1/anchors/verify',
    bodyLimit: MOST_BYTES,
    config: verify.config,
    schema: { ...verify.describe, body },
    handler: ({ body: { anchors } }) => ports.anchors.verify(anchors ?? null),
  });
};
