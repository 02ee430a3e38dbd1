import { z } from 'zod';
import type { Route } from '../application.ts';
import { goalParams, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { answerHtml } from '../links/answer-html.ts';
import { exportedPredicate } from '../links/exported-proof.ts';
import { sharedProofPage } from '../links/proof-page.ts';
import { receiptOutputs } from '../links/receipt-outputs.ts';

const BUNDLE = 'application/vnd.in-toto.bundle';
const PEM = 'application/x-pem-file';

const proof = operation('exportProof', {
  tag: 'record',
  summary:
    'The proof of a completed goal, signed: an in-toto bundle (JSON lines of DSSE envelopes). With `as=html` what it says and its runs printed, as one page that nobody signed',
  answer: z.string(),
  type: BUNDLE,
  alsoType: 'text/html',
});

const querystring = z.strictObject({ as: z.enum(['bundle', 'html']).default('bundle') });

const key = operation('getProofKey', {
  tag: 'record',
  summary: 'The public key that proofs of this installation are verified with',
  answer: z.string(),
  type: PEM,
});

export const proofRoutes: Route<'proofs' | 'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/proof',
    config: proof.config,
    schema: { ...proof.describe, params: goalParams, querystring },
    handler: async (request, reply) => {
      const { goalId, usage } = await existingGoal(ports.reader, request.params.goalId);
      if (request.query.as === 'html') {
        const predicate = await exportedPredicate(ports.proofs, goalId);
        const outputs = await receiptOutputs(ports.reader, predicate);
        reply.header('content-disposition', `attachment; filename="${goalId}.html"`);
        return answerHtml(reply, 200, (nonce) =>
          sharedProofPage({ nonce, predicate, outputs, usage, expiresAt: null }),
        );
      }
      const bundle = await ports.proofs.export(goalId);
      const disposition = `attachment; filename="${goalId}.intoto.jsonl"`;
      return reply.type(BUNDLE).header('content-disposition', disposition).send(bundle);
    },
  });
  application.route({
    method: 'GET',
    url: '/v1/proof-key',
    config: key.config,
    schema: key.describe,
    handler: async (_request, reply) => reply.type(PEM).send(ports.proofs.publicKey()),
  });
};
