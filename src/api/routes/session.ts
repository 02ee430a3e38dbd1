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
import { type Ports, principalOf, type Route } from '../application.ts';
import { openOperation, operation } from '../contract.ts';
import { assertNoForeignOrigin, assertOwnOrigin } from '../own-origin.ts';
import { entryOf } from '../security-entry.ts';
import {
  clearCodeCookie,
  clearSessionCookie,
  hasConsoleSecret,
  hashOfSecret,
  mayRedeem,
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

export const sessionRoutes: Route<'sessions' | 'settings' | 'tokens'> = (application, ports) => {
  const tokens = createTokens(ports.settings.tokens, ports.tokens);
  application.route({
    method: 'GET',
    url: '/v1/session',
    config: described.read.config,
    schema: described.read.describe,
    handler: async (request): Promise<Session> => {
      const { name, role, workspaces, templates, expiresAt } = principalOf(request);
      return { name, role, workspaces, templates, expiresAt: request.sessionEndsAt ?? expiresAt };
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
      const way = await wayIn(ports, tokens, { request, body: request.body });
      return signIn(ports, { request, reply }, way);
    },
  });
  application.route({
    method: 'DELETE',
    url: '/v1/session',
    config: { isOpen: true },
    schema: { ...openOperation('signOut', { tag: 'session', summary: 'Sign this browser out' }) },
    handler: async (request, reply) => {
      assertOwnOrigin(request);
      await endSession(ports, request);
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

interface WayIn {
  readonly principal: Caller;
  /** null = by a token. */
  readonly codeHash: string | null;
}

async function wayIn(
  { sessions }: Ports<'sessions'>,
  tokens: Tokens,
  { request, body }: { request: FastifyRequest; body: z.infer<typeof signInSchema> },
): Promise<WayIn> {
  if ('token' in body) {
    const principal = await tokens.principalOf(body.token);
    if (principal !== null) return { principal, codeHash: null };
    throw new Refusal('unauthorized', 'The token is not known here.');
  }
  const codeHash = hashOfSecret(body.code);
  const code = await sessions.find(codeHash, 'code');
  const isOurs = code !== null && mayRedeem(request, code);
  const principal = isOurs ? await tokens.principalIn(code) : null;
  if (principal === null) throw spentCode();
  return { principal, codeHash };
}

const spentCode = (): Refusal =>
  new Refusal('unauthorized', 'The code was used already, is too old, or is for another browser.');

/** A request without the console's secret ends no session; the cookie is cleared all the same. */
async function endSession({ sessions }: Ports<'sessions'>, request: FastifyRequest): Promise<void> {
  const secret = readSessionCookie(request);
  if (secret === undefined) return;
  const known = await sessions.find(hashOfSecret(secret));
  if (known === null || !hasConsoleSecret(request, known)) return;
  const entry = { ...entryOf(request, 'sign_out'), who: known.tokenName };
  await sessions.end(hashOfSecret(secret), entry);
}

async function signIn(
  { sessions }: Ports<'sessions'>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { principal, codeHash }: WayIn,
): Promise<NewSession> {
  const secret = newSecret();
  const consoleSecret = newSecret();
  const opened = {
    ...{ secretHash: hashOfSecret(secret), consoleHash: hashOfSecret(consoleSecret) },
    seconds: secondsOf(principal),
  };
  const entry = entryOf(request, 'sign_in', { caller: principal });
  const expiresAt =
    codeHash === null
      ? await sessions.open({ ...opened, kind: 'session', tokenName: principal.name }, entry)
      : await sessions.redeem(codeHash, opened, entry);
  if (expiresAt === null) throw spentCode();
  setSessionCookie(request, reply, secret);
  clearCodeCookie(request, reply);
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
  const opened = { secretHash: hashOfSecret(code), tokenName: name, seconds: CODE_SECONDS };
  const entry = entryOf(request, 'code_made');
  const expiresAt = await sessions.open({ ...opened, kind: 'code' }, entry);
  return { code, expiresAt };
}
