import { createHash, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../../schema/role.ts';
import { TOKEN_PREFIX } from '../../schema/token.ts';
import type { KnownSession } from '../contract/sessions.ts';
import type { TokensPort } from '../contract/tokens.ts';
import { hashOfSecret } from './session-cookie.ts';
import type { ApiSettings } from './settings.ts';

/** Tokens of the settings, then those that the service made. */
export interface Tokens {
  /** The token's principal; null for an unknown token, or one that has ended. */
  principalOf(token: string): Promise<Caller | null>;
  /** null if the token of this name has ended. */
  principalNamed(name: string): Promise<Caller | null>;
  /** The principal of a session or code; null if what it was opened by has ended since. */
  principalIn(session: Pick<KnownSession, 'tokenName' | 'identity'>): Promise<Caller | null>;
}

export function createTokens(
  granted: ApiSettings['tokens'],
  made: Pick<TokensPort, 'use' | 'named'>,
): Tokens {
  const principalNamed: Tokens['principalNamed'] = async (name) => {
    const own = known.find(({ principal }) => principal.name === name);
    return own?.principal ?? made.named(name);
  };
  const known = granted.map(({ role, token }) => {
    const digest = digestOf(token);
    const name = `${role}-${digestOf(digest).toString('hex').slice(0, 8)}`;
    const principal: Caller = { role, name, workspaces: null, templates: null, expiresAt: null };
    return { digest, principal };
  });
  return {
    async principalOf(token) {
      const digest = digestOf(token);
      // Every token is compared, so that the time taken reveals nothing about near matches.
      const [match] = known.filter((entry) => timingSafeEqual(entry.digest, digest));
      if (match !== undefined) return match.principal;
      return token.startsWith(TOKEN_PREFIX) ? made.use(hashOfSecret(token)) : null;
    },
    principalNamed,
    async principalIn({ tokenName: name, identity }) {
      if (identity === null) return principalNamed(name);
      const { role, workspaces, expiresAt } = identity;
      const caller = { name, role, workspaces, templates: null, expiresAt };
      return Date.parse(expiresAt) > Date.now() ? caller : null;
    },
  };
}

const digestOf = (secret: string | Buffer): Buffer => createHash('sha256').update(secret).digest();
