import type { Config } from '../contract/config.ts';
import { createClient } from './client.ts';

const ranks = ['viewer', 'agent', 'operator', 'admin'];

/**
 * Where the console signs a browser in with a one-time code. The code is behind #, which browsers
 * keep to themselves; the token is nowhere in it. Null where the service makes none.
 */
export async function consoleLink(url: string, tokens: Config['tokens']): Promise<string | null> {
  const [strongest] = [...tokens].sort(
    (left, right) => ranks.indexOf(right.role) - ranks.indexOf(left.role),
  );
  if (strongest === undefined) return null;
  try {
    const client = createClient({ url, token: strongest.token });
    const { code } = await client.send<{ code: string }>('POST', '/v1/session/codes', {});
    return `${url}/signin#code=${code}`;
  } catch {
    return null;
  }
}
