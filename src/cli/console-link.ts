import type { Config } from '../contract/config.ts';
import { createClient } from './client.ts';

const ranks = ['viewer', 'agent', 'operator', 'admin'];

/**
 * The link by which a browser signs in to the console with a one-time code. The code is in the
 * fragment, which browsers don't send; the token is not in the link. Null if the service makes no
 * codes.
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
