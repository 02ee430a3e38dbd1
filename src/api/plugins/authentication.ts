import type { FastifyRequest } from 'fastify';
import { type Principal, type Role, roleSchema } from '../../../schema/role.ts';
import { Refusal } from '../../contract/failures.ts';
import type { SessionsPort } from '../../contract/sessions.ts';
import { lesserRole } from '../../policy/role-rank.ts';
import type { Application, Ports } from '../application.ts';
import { assertOwnOrigin } from '../own-origin.ts';
import { isAllowed, LEAST_ROLES } from '../roles.ts';
import { hasConsoleSecret, hashOfSecret, readSessionCookie } from '../session-cookie.ts';
import { createTokens, type Tokens } from '../tokens.ts';

/** A caller may act with a lesser role than its own; the lesser of the two roles counts. */
export const ROLE_HEADER = 'goalkeeper-role';

const SAFE_METHODS = new Set(['GET', 'HEAD']);

/** Bearer tokens and sessions → principals, and the role table for every route's operation. */
export function addAuthentication(
  application: Application,
  { settings, sessions }: Ports<'settings' | 'sessions'>,
): void {
  const tokens = createTokens(settings.tokens);
  application.decorateRequest('principal', null);
  application.decorateRequest('sessionEndsAt', null);
  application.addHook('onRequest', async (request) => {
    const { operation } = request.routeOptions.config;
    if (operation === undefined) return;
    const principal = await authenticate(request, tokens, sessions);
    const role = actingRole(principal.role, request.headers[ROLE_HEADER]);
    request.principal = { ...principal, role };
    if (isAllowed(role, operation)) return;
    throw new Refusal(
      'forbidden',
      `The role ${role} may not do that; ${LEAST_ROLES[operation]} may.`,
      { role, needs: LEAST_ROLES[operation] },
    );
  });
}

function actingRole(own: Role, asked: string | string[] | undefined): Role {
  if (asked === undefined) return own;
  const role = roleSchema.safeParse(asked);
  if (role.success) return lesserRole(own, role.data);
  const detail = `The header ${ROLE_HEADER} must be one of ${roleSchema.options.join(', ')}.`;
  throw new Refusal('invalid_request', detail, { field: ROLE_HEADER });
}

async function authenticate(
  request: FastifyRequest,
  tokens: Tokens,
  sessions: SessionsPort,
): Promise<Principal> {
  const { authorization } = request.headers;
  if (authorization !== undefined) return byToken(tokens, authorization);
  const secret = readSessionCookie(request);
  if (secret === undefined) {
    throw new Refusal('unauthorized', 'Send "Authorization: Bearer <token>".');
  }
  if (!SAFE_METHODS.has(request.method)) assertOwnOrigin(request);
  const session = await sessions.find(hashOfSecret(secret));
  const principal = session === null ? null : tokens.principalNamed(session.tokenName);
  if (session === null || principal === null || !hasConsoleSecret(request, session)) {
    throw new Refusal('unauthorized', 'The session has ended; sign in again.');
  }
  request.sessionEndsAt = session.expiresAt;
  return principal;
}

function byToken(tokens: Tokens, header: string): Principal {
  const presented = /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (presented === undefined) {
    throw new Refusal('unauthorized', 'Send "Authorization: Bearer <token>".');
  }
  const principal = tokens.principalOf(presented);
  if (principal !== null) return principal;
  throw new Refusal('unauthorized', 'The token is not known here.');
}
