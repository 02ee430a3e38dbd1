import { z } from 'zod';
import type { Caller } from '../../../schema/role.ts';
import { wordSchema } from '../../../schema/text.ts';
import {
  madeTokenSchema,
  type NewToken,
  newTokenSchema,
  TOKEN_PREFIX,
  tokenSchema,
} from '../../../schema/token.ts';
import { Refusal } from '../../contract/failures.ts';
import type { KeptTemplate } from '../../contract/tokens.ts';
import { type Ports, principalOf, type Route } from '../application.ts';
import { operation, pageOf } from '../contract.ts';
import { refuse } from '../intake-facts.ts';
import { entryOf } from '../security-entry.ts';
import { seenWorkspaces } from '../seen-workspaces.ts';
import { hashOfSecret, newSecret } from '../session-cookie.ts';
import { boundsOf, couldMake, tokenIssue } from '../token-issue.ts';

const described = {
  create: operation('createToken', {
    tag: 'tokens',
    summary: 'Make a token, shown this once, that may no more than its maker',
    answer: madeTokenSchema,
    status: 201,
  }),
  list: operation('listTokens', {
    tag: 'tokens',
    summary: 'Tokens that the caller could have made: bounds, last use, and what was revoked',
    answer: pageOf(tokenSchema),
  }),
  revoke: operation('revokeToken', {
    tag: 'tokens',
    summary: 'End a token at once, with its sessions and open event streams',
    answer: tokenSchema,
  }),
};

const params = z.strictObject({ name: wordSchema(80) });

type Needs = 'tokens' | 'reader' | 'templates';

export const tokenRoutes: Route<Needs> = (application, ports) => {
  application.route({
    method: 'POST',
    url: '/v1/tokens',
    config: described.create.config,
    schema: { ...described.create.describe, body: newTokenSchema },
    handler: async (request, reply) => {
      const maker = principalOf(request);
      // A browser's session would outlive its own end by a token that it made.
      if (request.sessionEndsAt !== null) {
        throw new Refusal('forbidden', 'Only a token makes tokens.', { role: maker.role });
      }
      refuse(tokenIssue(maker, request.body));
      const { name, role } = request.body;
      const secret = `${TOKEN_PREFIX}${newSecret()}`;
      const bounds = boundsOf(maker, request.body, new Date());
      const templates = await keptTemplates(ports, maker, { ...request.body, ...bounds });
      const data = {
        role,
        ...bounds,
        ...(templates !== null && { templates: request.body.templates }),
      };
      const made = await ports.tokens.add(
        {
          ...{ name, role, createdBy: maker.name, secretHash: hashOfSecret(secret) },
          ...{ templates, ...bounds },
        },
        entryOf(request, 'token_made', { subject: name, data }),
      );
      return reply.code(201).send({ ...made, token: secret });
    },
  });
  application.route({
    method: 'GET',
    url: '/v1/tokens',
    config: described.list.config,
    schema: described.list.describe,
    handler: async (request) => {
      const caller = principalOf(request);
      const items = (await ports.tokens.list()).filter((one) => couldMake(caller, one));
      return { items, nextCursor: null };
    },
  });
  application.route({
    method: 'DELETE',
    url: '/v1/tokens/:name',
    config: described.revoke.config,
    schema: { ...described.revoke.describe, params },
    handler: async (request) => {
      const caller = principalOf(request);
      const { name } = request.params;
      const known = (await ports.tokens.list()).find((one) => one.name === name);
      if (known === undefined || !couldMake(caller, known)) throw noSuchToken(name);
      const entry = entryOf(request, 'token_revoked', { subject: name });
      const token = await ports.tokens.revoke(name, caller.name, entry);
      if (token === null) throw noSuchToken(name);
      return token;
    },
  });
};

/**
 * As they are now, in workspaces that exist for the token.
 * @throws Refusal
 */
async function keptTemplates(
  ports: Ports<'reader' | 'templates'>,
  maker: Caller,
  { templates, workspaces }: Pick<NewToken, 'templates'> & Pick<Caller, 'workspaces'>,
): Promise<KeptTemplate[] | null> {
  if (templates === undefined) return null;
  const seen = (await seenWorkspaces(ports, maker))
    .filter(({ name }) => workspaces?.includes(name) ?? true)
    .toSorted((a, b) => b.name.length - a.name.length);
  const kept = [...new Set(templates)].map(async (label, index) => {
    const workspace = seen.find(({ name }) => label.startsWith(`${name}/`));
    if (workspace === undefined) {
      const known = seen.map(({ name }) => name);
      const detail = `${label} names none of the workspaces of this token: give WORKSPACE/TEMPLATE.`;
      throw new Refusal('invalid_request', detail, { field: `templates.${index}`, known });
    }
    return ports.templates.keep(workspace, label.slice(workspace.name.length + 1));
  });
  return await Promise.all(kept);
}

const noSuchToken = (name: string): Refusal =>
  new Refusal('not_found', `There is no token ${name}; those of the settings end there.`, { name });
