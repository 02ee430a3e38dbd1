import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { pagePolicy } from './page.ts';

/** A page for whoever holds a link: it is kept in no cache, and its address goes nowhere else. */
export function answerHtml(
  reply: FastifyReply,
  status: number,
  pageOf: (nonce: string) => string,
): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('content-security-policy', pagePolicy(nonce))
    .serializer(String)
    .send(pageOf(nonce));
}
