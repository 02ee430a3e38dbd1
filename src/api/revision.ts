import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../contract/failures.ts';

export function setRevision(reply: FastifyReply, goal: { revision: number }): void {
  reply.header('etag', `"${goal.revision}"`);
}

/** The expected revision from `If-Match` or the body; if both are given, they must agree. */
export function expectedRevisionOf(
  request: FastifyRequest,
  inBody: number | undefined,
): number | undefined {
  const header = request.headers['if-match'];
  if (header === undefined || header === '*') return inBody;
  const revision = Number(header.replace(/\D/g, ''));
  if (inBody === undefined || inBody === revision) return revision;
  const detail = 'If-Match and expectedRevision name two revisions; send one of them.';
  throw new Refusal('invalid_request', detail, { field: 'If-Match' });
}
