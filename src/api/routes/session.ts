import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Caller } from '../../../schema/role.ts';
import {
  type NewSession,
  newSessionSchema,
  type Session,
  sessionSchema,
  signInCodeSchema,
  signInSchema,
} from '../../../schema/session.ts';
import { Refusal } from '../../contract/failures.ts';
import type { KnownSession } from '../../contract/sessions.ts';
import { type Ports, principalOf, type Route } from '../application.ts';
import { openOperation, operation } from '../contract.ts';
import { assertNoForeignOrigin, assertOwnOrigin } from '../own-origin.ts';
import { entryOf } from '../security-entry.ts';
import {
  clearSessionCookie,
  hasConsoleSecret,
  hashOfSecret,
  newSecret,
  readSessionCookie,
  SESSION_SECONDS,
  setSessionCookie,
} from '../session-cookie.ts';
import { createTokens, type Tokens } from '../tokens.ts';

/** Long enough to click on a link that was just printed. */
const CODE_SECONDS = 10 * 60;
/** The limit is above what people need and far below what guessing needs. */
const attempts = { max: 20, timeWindow: '1 minute' };

const described = {
  read: operation('getSession', {
    tag: 'session',
    summary: 'Who speaks, and until when',
    answer: sessionSchema,
  }),
  code: operation('createSignInCode', {
    tag: 'session',
    summary: 'A code that signs one browser in, once, as the caller',
    answer: signInCodeSchema,
    status: 201,
  }),
};

export const sessionRoutes: Route<'securityLog' | 'sessions' | 'settings' | 'tokens'> = (
  application,
  ports,
) => {
  const tokens = createTokens(ports.settings.tokens, ports.tokens);
  application.route({
    method: 'GET',
    url: '/v1/session',
    config: described.read.config,
    schema: described.read.describe,
    handler: async (request): Promise<Session> => {
      const caller = principalOf(request);
      return { ...caller, expiresAt: request.sessionEndsAt ?? caller.expiresAt };
    },
  });
  application.route({
    method: 'POST',
    url: '/v1/session',
    config: { isOpen: true, rateLimit: attempts },
    schema: {
      ...openOperation('signIn', {
        tag: 'session',
        summary:
          'Sign a browser in: a token, or a one-time code, for a cookie and the secret that has to come along with it in x-goalkeeper-console',
        answer: newSessionSchema,
      }),
      body: signInSchema,
    },
    handler: async (request, reply) => {
      assertNoForeignOrigin(request);
      const { principal, identity } = await principalIn(ports, tokens, request.body);
      const session = await signIn(ports, { request, reply }, principal, identity);
      await ports.securityLog.add(entryOf(request, 'sign_in', { caller: principal }));
      return session;
    },
  });
  application.route({
    method: 'DELETE',
    url: '/v1/session',
    config: { isOpen: true },
    schema: { ...openOperation('signOut', { tag: 'session', summary: 'Sign this browser out' }) },
    handler: async (request, reply) => {
      assertOwnOrigin(request);
      const who = await endSession(ports, request);
      if (who !== null) await ports.securityLog.add({ ...entryOf(request, 'sign_out'), who });
      clearSessionCookie(request, reply);
      return reply.code(204).send();
    },
  });
  application.route({
    method: 'POST',
    url: '/v1/session/codes',
    config: described.code.config,
    schema: described.code.describe,
    handler: async (request, reply) => {
      const code = await createCode(ports, tokens, request);
      return reply.code(201).send(code);
    },
  });
};

async function principalIn(
  { sessions }: Ports<'sessions'>,
  tokens: Tokens,
  body: z.infer<typeof signInSchema>,
): Promise<{ principal: Caller; identity: KnownSession['identity'] }> {
  if ('token' in body) {
    const principal = await tokens.principalOf(body.token);
    if (principal !== null) return { principal, identity: null };
    throw new Refusal('unauthorized', 'The token is not known here.');
  }
  const code = await sessions.take(hashOfSecret(body.code), 'code');
  const principal = code === null ? null : await tokens.principalIn(code);
  if (code !== null && principal !== null) return { principal, identity: code.identity };
  throw new Refusal('unauthorized', 'The code was used already or is too old; use a token.');
}

/**
 * A request without the console's secret ends no session; the cookie is cleared all the same.
 * @returns whose session has ended
 */
async function endSession(
  { sessions }: Ports<'sessions'>,
  request: FastifyRequest,
): Promise<string | null> {
  const secret = readSessionCookie(request);
  if (secret === undefined) return null;
  const known = await sessions.find(hashOfSecret(secret));
  if (known === null || !hasConsoleSecret(request, known)) return null;
  await sessions.take(hashOfSecret(secret), 'session');
  return known.tokenName;
}

async function signIn(
  { sessions }: Ports<'sessions'>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  principal: Caller,
  identity: KnownSession['identity'],
): Promise<NewSession> {
  const secret = newSecret();
  const consoleSecret = newSecret();
  const expiresAt = await sessions.open({
    secretHash: hashOfSecret(secret),
    kind: 'session',
    consoleHash: hashOfSecret(consoleSecret),
    tokenName: principal.name,
    ...(identity === null ? {} : { identity }),
    seconds: secondsOf(principal),
  });
  setSessionCookie(request, reply, secret);
  return { ...principal, expiresAt, consoleSecret };
}

/** A session ends with its token at the latest. */
const secondsOf = ({ expiresAt }: Caller): number =>
  expiresAt === null
    ? SESSION_SECONDS
    : Math.min(SESSION_SECONDS, (Date.parse(expiresAt) - Date.now()) / 1000);

async function createCode(
  { sessions }: Ports<'sessions'>,
  tokens: Tokens,
  request: FastifyRequest,
) {
  const { name, role } = principalOf(request);
  // A session could renew itself without end, and a caller with a lesser role regain the full one.
  const isLess = (await tokens.principalNamed(name))?.role !== role;
  if (request.sessionEndsAt !== null || isLess) {
    throw new Refusal('forbidden', 'Only a token makes codes, with all of its role.', { role });
  }
  const code = newSecret();
  const expiresAt = await sessions.open({
    secretHash: hashOfSecret(code),
    kind: 'code',
    tokenName: name,
    seconds: CODE_SECONDS,
  });
  return { code, expiresAt };
}
