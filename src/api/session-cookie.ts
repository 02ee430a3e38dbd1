import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KnownSession } from '../contract/sessions.ts';

const NAME = 'goalkeeper_session';

/**
 * The header with the session's second secret. Browsers send cookies to every port of a host; the
 * second secret is readable only by the console's own origin, and no form can set a header.
 */
export const CONSOLE_HEADER = 'x-goalkeeper-console';

/** 12 hours: one working day. */
export const SESSION_SECONDS = 12 * 60 * 60;

/** 256 bits, for cookies and codes alike. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

export const hashOfSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('hex');

/** Tells whether the request carries the console's secret. Older sessions without one are over. */
export function hasConsoleSecret(
  { headers }: FastifyRequest,
  { consoleHash }: { readonly consoleHash: string | null },
): boolean {
  const presented = headers[CONSOLE_HEADER];
  if (typeof presented !== 'string' || consoleHash === null) return false;
  return timingSafeEqual(Buffer.from(hashOfSecret(presented)), Buffer.from(consoleHash));
}

/** Cookie of the browser that asked for a person's code; nobody else redeems it. */
const CODE_COOKIE = 'goalkeeper_code';
const codePath = { path: '/v1/session', httpOnly: true, sameSite: 'strict' } as const;

export function setCodeCookie(
  reply: FastifyReply,
  secret: string,
  options: { readonly secure: boolean; readonly maxAge: number },
): void {
  reply.setCookie(CODE_COOKIE, secret, { ...codePath, ...options });
}

/** A person's code counts only with its cookie; a token's code is made for any browser. */
export function mayRedeem(
  { cookies }: FastifyRequest,
  { identity, consoleHash }: Pick<KnownSession, 'identity' | 'consoleHash'>,
): boolean {
  const kept = cookies[CODE_COOKIE];
  return identity === null || (kept !== undefined && hashOfSecret(kept) === consoleHash);
}

export function clearCodeCookie({ cookies }: FastifyRequest, reply: FastifyReply): void {
  if (cookies[CODE_COOKIE] !== undefined) reply.clearCookie(CODE_COOKIE, codePath);
}

export function readSessionCookie(request: FastifyRequest): string | undefined {
  // The cookie is parsed here because this runs before the plugin's own hook.
  return request.server.parseCookie(request.headers.cookie ?? '')[NAME];
}

export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, secret: string) {
  reply.setCookie(NAME, secret, { ...attributes(request), maxAge: SESSION_SECONDS });
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(NAME, attributes(request));
}

const attributes = (request: FastifyRequest) =>
  ({
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    // The service itself speaks plain HTTP, so an HTTPS origin means a proxy.
    secure: request.headers.origin?.startsWith('https://') ?? false,
  }) as const;
