import type { FastifyRequest } from 'fastify';
import { Refusal } from '../contract/failures.ts';
import { CONSOLE_HEADER } from './session-cookie.ts';

/**
 * A browser sends the cookie with every request to this host, also for pages of other origins, so
 * a mutation is accepted only from the console's own origin.
 */
export function assertOwnOrigin(request: FastifyRequest): void {
  if (request.headers[CONSOLE_HEADER] !== undefined && isOwn(request)) return;
  throw new Refusal('forbidden', 'A browser session changes things from the console only.', {
    origin: request.headers.origin ?? null,
  });
}

/** Signing in has no session yet and is open to programs, so only foreign pages are refused. */
export function assertNoForeignOrigin(request: FastifyRequest): void {
  if (request.headers.origin === undefined || isOwn(request)) return;
  throw new Refusal('forbidden', 'Another site may not sign a browser in here.', {
    origin: request.headers.origin,
  });
}

function isOwn({ headers }: FastifyRequest): boolean {
  const origin = URL.canParse(headers.origin ?? '') ? new URL(headers.origin ?? '') : null;
  return origin !== null && origin.host === headers.host;
}
