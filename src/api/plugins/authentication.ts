import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { type Caller, type Role, roleSchema } from '../../../schema/role.ts';
import { Refusal } from '../../contract/failures.ts';
import type { SessionsPort } from '../../contract/sessions.ts';
import { actingAs, seesAll, sightOf } from '../../policy/sight.ts';
import type { Application, CallAs, Ports, ReadOwn } from '../application.ts';
import { noSuchGoal, noSuchSchedule, noThreadGoal } from '../goal-lookup.ts';
import { createGuessLimit, type GuessLimit } from '../guess-limit.ts';
import { createLending, type Lending } from '../lending.ts';
import { may, type Subject } from '../may.ts';
import { assertOwnOrigin } from '../own-origin.ts';
import { aboutOf, LEAST_ROLES, type OperationId } from '../roles.ts';
import { hasConsoleSecret, hashOfSecret, readSessionCookie } from '../session-cookie.ts';
import { createTokens, type Tokens } from '../tokens.ts';

/** A caller may act with a lesser role than its own; the lesser of the two roles counts. */
export const ROLE_HEADER = 'goalkeeper-role';

/** In the security log it says that nobody called from outside. */
const OWN_ADDRESS = '127.0.0.1';
const OWN_HOST = 'localhost';
const SAFE_METHODS = new Set(['GET', 'HEAD']);
/** Pages and files of plugins, which tell of nothing that the service keeps. */
const OPEN = /^\/(docs|assets)(\/|$)/;

/** Bearer tokens and sessions → principals, and the one rule for every route's operation. */
export function addAuthentication(
  application: Application,
  ports: Ports<'reader' | 'schedules' | 'settings' | 'sessions' | 'tokens'>,
): void {
  const tokens = createTokens(ports.settings.tokens, ports.tokens);
  const lending = createLending();
  application.decorate('callAs', callerAs(application, tokens, lending));
  application.decorate('readOwn', ownReader(application, lending));
  application.decorate('ownerOf', (name: string) => tokens.principalNamed(name));
  application.decorateRequest('principal', null);
  application.decorateRequest('sessionEndsAt', null);
  application.decorateRequest('isOutOfSight', false);
  application.decorateRequest('judgedGoalId', null);
  const guesses = createGuessLimit();
  application.addHook('onRoute', ({ url, config }) => assertDeclared(url, config));
  const judge = async (request: FastifyRequest): Promise<void> => {
    const { operation } = request.routeOptions.config;
    if (operation === undefined) return;
    if (/%00/.test(request.url)) {
      throw new Refusal('invalid_request', 'A URL holds no NUL byte.', { field: 'url' });
    }
    const doors = { tokens, lending, guesses, sessions: ports.sessions };
    const principal = await authenticate(request, doors);
    const caller = askedRoles(request.headers[ROLE_HEADER]).reduce(actingAs, principal);
    request.principal = caller;
    const subject = await subjectOf(ports, request, caller, operation);
    const verdict = may(caller, operation, subject);
    request.isOutOfSight = verdict === 'unseen' && subject !== 'unknown';
    refuseUnless(verdict, request, operation);
  };
  application.addHook('onRequest', judge);
  // A body may take a minute to come, in which a token ends or a goal becomes somebody else's.
  application.addHook('preHandler', async (request) => {
    if (!SAFE_METHODS.has(request.method)) await judge(request);
  });
}

/** Calls of the service to itself, judged by the same rule as everybody's. */
function callerAs(application: Application, tokens: Tokens, lending: Lending): CallAs {
  return async ({ owner, role, method, url, body, key }) => {
    const caller = await tokens.principalNamed(owner);
    if (caller === null) return null;
    return lending.lend({ ...caller, isTrigger: true }, async (authorization) => {
      const answer = await application.inject({
        method,
        url,
        remoteAddress: OWN_ADDRESS,
        headers: {
          authorization,
          host: OWN_HOST,
          [ROLE_HEADER]: role,
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        ...(body === undefined ? {} : { payload: body }),
      });
      return { status: answer.statusCode, body: answer.json<unknown>() };
    });
  };
}

/** Whoever archives goals: sees all of them, and changes nothing. */
const ARCHIVIST: Caller = {
  ...{ name: 'retention', role: 'viewer' },
  ...{ workspaces: null, templates: null, expiresAt: null },
};

const ownReader =
  (application: Application, lending: Lending): ReadOwn =>
  (url) =>
    lending.lend(ARCHIVIST, async (authorization) => {
      const headers = { authorization, host: OWN_HOST };
      const asked = { method: 'GET', url, headers, remoteAddress: OWN_ADDRESS } as const;
      const answer = await application.inject(asked);
      return { status: answer.statusCode, bytes: answer.rawPayload };
    });

/** A route that says neither what it does nor that it is open stops the service from starting. */
function assertDeclared(url: string, { operation, isOpen }: FastifyContextConfig = {}): void {
  if (operation === undefined) {
    if (isOpen === true || OPEN.test(url)) return;
    throw new TypeError(`${url} declares no operation`);
  }
  const named = /\/:(goal|thread|schedule)Id(\/|$)/.exec(url)?.[1];
  const about = aboutOf(operation);
  const isOfOne = about === 'goal' || about === 'thread' || about === 'schedule';
  if (isOfOne ? named === about : named !== 'goal' && named !== 'schedule') return;
  throw new TypeError(`${url} and ${operation} are about different things`);
}

/**
 * Callers that see everything need no look at the goal. For others one that doesn't exist is refused
 * as early as one out of sight: the handler might find another fault first, which told them apart.
 */
async function subjectOf(
  { reader, schedules }: Ports<'reader' | 'schedules'>,
  request: FastifyRequest,
  caller: Caller,
  operation: OperationId,
): Promise<Subject> {
  if (seesAll(sightOf(caller))) return null;
  const { params } = request;
  const { goalId, threadId, scheduleId } = params as Named;
  const about = aboutOf(operation);
  if (about === 'schedule' && scheduleId !== undefined)
    return (await schedules.owner(scheduleId)) ?? 'unknown';
  if (about === 'goal' && goalId !== undefined) {
    const owner = await reader.owner(goalId);
    // A beginning of an id is looked up among the goals in sight.
    return owner ?? (operation === 'getGoal' ? null : 'unknown');
  }
  if (about !== 'thread' || threadId === undefined) return null;
  const current = await reader.threadGoal(threadId);
  request.judgedGoalId = current?.goalId ?? null;
  return (current && (await reader.owner(current.goalId))) ?? 'unknown';
}

interface Named {
  readonly goalId?: string;
  readonly threadId?: string;
  readonly scheduleId?: string;
}

function refuseUnless(
  verdict: ReturnType<typeof may>,
  { params, principal }: FastifyRequest,
  operation: OperationId,
): void {
  const { goalId, threadId = '', scheduleId } = params as Named;
  const role = principal?.role;
  const needs = LEAST_ROLES[operation];
  switch (verdict) {
    case 'yes':
      return;
    case 'unseen':
      if (scheduleId !== undefined) throw noSuchSchedule(scheduleId);
      throw goalId === undefined ? noThreadGoal(threadId) : noSuchGoal(goalId);
    case 'bound':
      throw new Refusal('forbidden', 'It tells of all goals, and this principal sees some.', {
        role,
      });
    case 'templates': {
      const known = principal?.templates ?? [];
      const detail =
        'This token starts goals from its templates, and no other way: POST /v1/workspaces/WORKSPACE/templates/TEMPLATE/goals.';
      throw new Refusal('forbidden', detail, { role, known });
    }
    case 'role':
      throw new Refusal('forbidden', `The role ${role} may not do that; ${needs} may.`, {
        role,
        needs,
      });
  }
}

/** One role, or several that all have to allow it, between commas. */
function askedRoles(asked: string | string[] | undefined): Role[] {
  if (asked === undefined) return [];
  return String(asked)
    .split(',')
    .map((name) => {
      const role = roleSchema.safeParse(name.trim());
      if (role.success) return role.data;
      const detail = `The header ${ROLE_HEADER} must be one of ${roleSchema.options.join(', ')}.`;
      throw new Refusal('invalid_request', detail, { field: ROLE_HEADER });
    });
}

interface Doors {
  readonly tokens: Tokens;
  readonly lending: Lending;
  readonly sessions: SessionsPort;
  readonly guesses: GuessLimit;
}

async function authenticate(
  request: FastifyRequest,
  { tokens, lending, sessions, guesses }: Doors,
): Promise<Caller> {
  const { authorization } = request.headers;
  const lent = lending.find(authorization);
  if (lent !== null) return lent;
  if (authorization !== undefined) {
    return guesses(request.ip, authorization, () => byToken(tokens, authorization));
  }
  const secret = readSessionCookie(request);
  if (secret === undefined) {
    throw new Refusal('unauthorized', 'Send "Authorization: Bearer <token>".');
  }
  if (!SAFE_METHODS.has(request.method)) assertOwnOrigin(request);
  const session = await sessions.find(hashOfSecret(secret));
  const principal = session === null ? null : await tokens.principalIn(session);
  if (session === null || principal === null || !hasConsoleSecret(request, session)) {
    throw new Refusal('unauthorized', 'The session has ended; sign in again.');
  }
  request.sessionEndsAt = session.expiresAt;
  return principal;
}

async function byToken(tokens: Tokens, header: string): Promise<Caller> {
  const presented = /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (presented === undefined) {
    throw new Refusal('unauthorized', 'Send "Authorization: Bearer <token>".');
  }
  const principal = await tokens.principalOf(presented);
  if (principal !== null) return principal;
  throw new Refusal('unauthorized', 'The token is not known here, or has ended.');
}
