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
  const revision = Number(/^(?:W\/)?"(\d{1,9})"$/.exec(header)?.[1] ?? Number.NaN);
  if (Number.isNaN(revision) || (inBody !== undefined && inBody !== revision)) {
    throw new Refusal(
      'invalid_request',
      'If-Match takes the ETag of the goal, such as "7", and must agree with expectedRevision.',
      { field: 'If-Match' },
    );
  }
  return revision;
}
