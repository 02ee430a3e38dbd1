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
    role: roleOf(settings, claims),
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

function roleOf({ roleClaim, roles }: OidcSettings, claims: Claims): Role {
  const values = [claims[roleClaim]].flat().filter((value) => typeof value === 'string');
  const given = values.flatMap((value) => (Object.hasOwn(roles, value) ? [roles[value]] : []));
  const highest = given
    .filter((role) => role !== undefined)
    .reduce<Role | null>(
      (best, role) => (best !== null && isAtLeast(best, role) ? best : role),
      null,
    );
  if (highest !== null) return highest;
  throw new Refusal('forbidden', `No value of the claim ${roleClaim} has a role here.`, {
    claim: roleClaim,
  });
}
