import { z } from 'zod';
import type { Caller } from '../../../schema/role.ts';
import {
  endedSessionsSchema,
  type OpenSession,
  openSessionSchema,
} from '../../../schema/session.ts';
import { Refusal } from '../../contract/failures.ts';
import type { ListedSession } from '../../contract/sessions.ts';
import { type Ports, principalOf, type Route } from '../application.ts';
import { operation, pageOf } from '../contract.ts';
import { entryOf } from '../security-entry.ts';
import { coversBounds } from '../token-issue.ts';
import { createTokens, type Tokens } from '../tokens.ts';

const described = {
  list: operation('listSessions', {
    tag: 'session',
    summary: 'Signed-in browsers of those who may no more than the caller',
    answer: pageOf(openSessionSchema),
  }),
  end: operation('endSessions', {
    tag: 'session',
    summary: 'Sign all browsers of a principal out at once, with their event streams',
    answer: endedSessionsSchema,
  }),
};

const params = z.strictObject({ name: z.string().min(1).max(320) });

/** A token's sessions also end with the token; a person of a provider has nothing else to revoke. */
export const openSessionRoutes: Route<'sessions' | 'settings' | 'tokens'> = (
  application,
  ports,
) => {
  const tokens = createTokens(ports.settings.tokens, ports.tokens);
  application.route({
    method: 'GET',
    url: '/v1/sessions',
    config: described.list.config,
    schema: described.list.describe,
    handler: async (request) => ({
      items: (await openSessions(ports, tokens)).filter((one) =>
        coversBounds(principalOf(request), one),
      ),
      nextCursor: null,
    }),
  });
  application.route({
    method: 'DELETE',
    url: '/v1/sessions/:name',
    config: described.end.config,
    schema: { ...described.end.describe, params },
    handler: async (request) => {
      const { name } = request.params;
      const caller = principalOf(request);
      const own = (await openSessions(ports, tokens)).filter((one) => one.name === name);
      // A person's sessions may differ in what they may, and all of them end.
      if (own.length === 0 || !own.every((one) => coversBounds(caller, one))) {
        throw new Refusal('not_found', `No browser is signed in as ${name}.`, { name });
      }
      const entry = entryOf(request, 'sign_out', { subject: name });
      return { name, ended: await ports.sessions.endNamed(name, entry) };
    },
  });
};

async function openSessions(
  { sessions }: Ports<'sessions'>,
  tokens: Tokens,
): Promise<OpenSession[]> {
  const known = (await sessions.list()).map(async (session) => {
    const principal = await tokens.principalIn(session);
    return principal === null ? [] : [openSession(principal, session)];
  });
  return (await Promise.all(known)).flat();
}

const openSession = (
  { name, role, workspaces, templates }: Caller,
  { identity, since, expiresAt }: ListedSession,
): OpenSession => ({
  ...{ name, role, workspaces, templates, since, expiresAt },
  signedInBy: identity === null ? 'token' : 'provider',
});
