import { createHash, timingSafeEqual } from 'node:crypto';
import { type Principal, type Role, roleSchema } from '../../../schema/role.ts';
import { Refusal } from '../../goal/errors.ts';
import type { Application } from '../application.ts';
import { isAllowed, LEAST_ROLES, lesserRole } from '../roles.ts';
import type { ApiSettings } from '../settings.ts';

/** A caller that speaks for somebody with less power says so: the lesser of both roles acts. */
export const ROLE_HEADER = 'goalkeeper-role';

/** Bearer tokens → principals, and the role table for every route that names its operation. */
export function addAuthentication(application: Application, settings: ApiSettings): void {
  const authenticate = createAuthenticator(settings.tokens);
  application.decorateRequest('principal', null);
  application.addHook('onRequest', async (request) => {
    const { operation } = request.routeOptions.config;
    if (operation === undefined) return;
    const principal = authenticate(request.headers.authorization);
    const role = actingRole(principal.role, request.headers[ROLE_HEADER]);
    request.principal = { ...principal, role };
    if (isAllowed(role, operation)) return;
    throw new Refusal(
      'forbidden',
      `The role ${role} may not do that; ${LEAST_ROLES[operation]} may.`,
      {
        role,
        needs: LEAST_ROLES[operation],
      },
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

function createAuthenticator(tokens: ApiSettings['tokens']) {
  const known = tokens.map(({ role, token }) => ({ digest: digestOf(token), role }));
  return (header: string | undefined): Principal => {
    const presented = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
    if (presented === undefined) {
      throw new Refusal('unauthorized', 'Send "Authorization: Bearer <token>".');
    }
    const digest = digestOf(presented);
    // Every token is compared, so that the time tells nothing about which one came close.
    const matches = known.filter((entry) => timingSafeEqual(entry.digest, digest));
    const [match] = matches;
    if (match === undefined) throw new Refusal('unauthorized', 'The token is not known here.');
    return { role: match.role, name: nameOf(match.role, digest) };
  };
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function nameOf(role: Role, digest: Buffer): string {
  return `${role}-${createHash('sha256').update(digest).digest('hex').slice(0, 8)}`;
}
