import { z } from 'zod';
import type { Route } from '../application.ts';
import { goalParams, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';

const BUNDLE = 'application/vnd.in-toto.bundle';
const PEM = 'application/x-pem-file';

const proof = operation('exportProof', {
  tag: 'record',
  summary:
    'The proof of a completed goal, signed: an in-toto bundle (JSON lines of DSSE envelopes)',
  answer: z.string(),
  type: BUNDLE,
});

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
    schema: { ...proof.describe, params: goalParams },
    handler: async (request, reply) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
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
