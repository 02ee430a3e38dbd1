import { roleSchema } from '../../../schema/role.ts';
import { ConfigError, type TokenGrant } from '../../contract/config.ts';
import { MINIMUM_TOKEN_LENGTH, type Parsed, WAY_OUT } from './environment.ts';

/** @throws ConfigError */
export function parseTokens(list: string | undefined): TokenGrant[] {
  const entries = (list ?? '').split(',').map((entry) => entry.trim());
  const grants = entries.filter((entry) => entry !== '').map(parseToken);
  if (new Set(grants.map((grant) => grant.token)).size < grants.length) {
    throw new ConfigError('GOALKEEPER_TOKENS', 'names one token twice', WAY_OUT.GOALKEEPER_TOKENS);
  }
  return grants;
}

function parseToken(entry: string): TokenGrant {
  const [name = '', ...rest] = entry.split(':');
  const role = roleSchema.safeParse(name);
  const token = rest.join(':');
  const problem = !role.success
    ? 'has an entry without a known role'
    : token.length < MINIMUM_TOKEN_LENGTH || /\s/.test(token)
      ? `has a token of role ${role.data} that is too short or holds blanks`
      : null;
  if (problem === null && role.success) return { role: role.data, token };
  throw new ConfigError('GOALKEEPER_TOKENS', problem ?? '', WAY_OUT.GOALKEEPER_TOKENS);
}

export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** @throws ConfigError */
export function refuseOpenListening(
  parsed: Parsed,
  isLoopback: boolean,
  tokens: readonly TokenGrant[],
): void {
  if (isLoopback || tokens.length > 0) return;
  throw new ConfigError(
    'GOALKEEPER_HOST',
    `is ${parsed.GOALKEEPER_HOST}, which other machines can reach, but no tokens are configured`,
    'Set GOALKEEPER_TOKENS (role:token,…), or listen on 127.0.0.1.',
  );
}
