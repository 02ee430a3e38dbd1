import type { FastifyRequest } from 'fastify';
import { Refusal } from '../contract/failures.ts';
import { CONSOLE_HEADER } from './session-cookie.ts';

/**
 * A cookie comes along with whatever a browser sends here, also for pages of other origins on
 * this host: a change counts only if the console itself asked for it.
 */
export function assertOwnOrigin(request: FastifyRequest): void {
  if (request.headers[CONSOLE_HEADER] !== undefined && isOwn(request)) return;
  throw new Refusal('forbidden', 'A browser session changes things from the console only.', {
    origin: request.headers.origin ?? null,
  });
}

/** Signing in has no session yet, and programs may do it: only a foreign page is turned away. */
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
