import type { OidcSettings } from '../../schema/oidc.ts';
import type { Role } from '../../schema/role.ts';
import { Refusal } from '../contract/failures.ts';
import type { OidcIdentity } from '../contract/oidc.ts';
import { isAtLeast } from '../policy/role-rank.ts';

type Claims = Readonly<Record<string, unknown>>;

/**
 * Who a person is by verified claims.
 * @throws Refusal forbidden
 */
export function identityOf(settings: OidcSettings, claims: Claims): OidcIdentity {
  const { sub, sid, exp } = claims;
  return {
    name: `oidc:${nameOf(settings, claims)}`,
    ...boundsOf(settings, claims),
    subject: String(sub),
    sid: typeof sid === 'string' ? sid : null,
    expiresAt: new Date(Number(exp) * 1000).toISOString(),
  };
}

/** Records name it for good, so an address that anybody can enter at the provider is not taken. */
function nameOf({ nameClaim }: OidcSettings, claims: Claims): string {
  const name = claims[nameClaim];
  const isVerified = nameClaim !== 'email' || claims.email_verified === true;
  if (typeof name === 'string' && /^[\x21-\x7e]{1,200}$/.test(name) && isVerified) return name;
  throw new Refusal('forbidden', `The provider gives no usable ${nameClaim}.`, {
    claim: nameClaim,
  });
}

type Bounds = Pick<OidcIdentity, 'role' | 'workspaces'>;

/** A lesser role somewhere else is left out: a caller has one role, which would count there too. */
function boundsOf({ roleClaim, roles }: OidcSettings, claims: Claims): Bounds {
  const values = [claims[roleClaim]].flat().filter((value) => typeof value === 'string');
  const given = values.flatMap((value) =>
    Object.hasOwn(roles, value) ? (roles[value] ?? []) : [],
  );
  const [first, ...others] = given;
  if (first === undefined) {
    throw new Refusal('forbidden', `No value of the claim ${roleClaim} has a role here.`, {
      claim: roleClaim,
    });
  }
  const role = others.reduce<Role>(
    (best, { role: own }) => (isAtLeast(best, own) ? best : own),
    first.role,
  );
  const places = given.filter((one) => one.role === role).map(({ workspaces }) => workspaces);
  const bound = places.flatMap((workspaces) => workspaces ?? []);
  return { role, workspaces: places.includes(null) ? null : [...new Set(bound)] };
}
