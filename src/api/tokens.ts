import { createHash, timingSafeEqual } from 'node:crypto';
import type { Principal } from '../../schema/role.ts';
import type { ApiSettings } from './settings.ts';

export interface Tokens {
  /** The token's principal; null for an unknown token. */
  principalOf(token: string): Principal | null;
  /** The principal of a session; null if its token was removed since. */
  principalNamed(name: string): Principal | null;
}

export function createTokens(granted: ApiSettings['tokens']): Tokens {
  const known = granted.map(({ role, token }) => {
    const digest = digestOf(token);
    return {
      digest,
      principal: { role, name: `${role}-${digestOf(digest).toString('hex').slice(0, 8)}` },
    };
  });
  return {
    principalOf(token) {
      const digest = digestOf(token);
      // Every token is compared, so that the time taken reveals nothing about near matches.
      const [match] = known.filter((entry) => timingSafeEqual(entry.digest, digest));
      return match?.principal ?? null;
    },
    principalNamed: (name) =>
      known.find(({ principal }) => principal.name === name)?.principal ?? null,
  };
}

const digestOf = (secret: string | Buffer): Buffer => createHash('sha256').update(secret).digest();
