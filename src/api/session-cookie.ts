import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

const NAME = 'goalkeeper_session';

/** 12 hours: a working day, and no more than one. */
export const SESSION_SECONDS = 12 * 60 * 60;

/** 256 bits, for cookies and codes alike. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

export const hashOfSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('hex');

export function readSessionCookie(request: FastifyRequest): string | undefined {
  // Parsed here: this runs before the plugin's own hook.
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
    // The service itself speaks plain HTTP; who came by HTTPS came through a proxy.
    secure: request.headers.origin?.startsWith('https://') ?? false,
  }) as const;
