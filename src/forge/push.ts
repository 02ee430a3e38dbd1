import { originOf, type Place } from './place.ts';
import { gitIn } from './proven-commit.ts';
import { ForgeRefused } from './refused.ts';

interface Pushing {
  readonly remote: string;
  readonly place: Place;
  readonly branch: string;
  readonly token: string;
}

/**
 * Pushes the commit to a branch of the remote, and overwrites nothing there. Over HTTP it shows the
 * forge's token, by a variable that no list of processes has; over SSH the person's own keys count.
 * @throws ForgeRefused
 */
export async function push(
  commit: string,
  scratch: string,
  environment: NodeJS.ProcessEnv,
  { remote, place, branch, token }: Pushing,
): Promise<void> {
  const origin = /^https?:/i.test(remote) ? originOf(place) : null;
  // What every forge serves without sending elsewhere, where the token would go along.
  const address = origin === null ? remote : `${origin}/${place.path}.git`;
  const basic = Buffer.from(`goalkeeper:${token}`).toString('base64');
  const shown: NodeJS.ProcessEnv =
    origin === null
      ? {}
      : {
          GIT_CONFIG_COUNT: '2',
          GIT_CONFIG_KEY_0: `http.${origin}/.extraHeader`,
          GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
          GIT_CONFIG_KEY_1: `http.${origin}/.followRedirects`,
          GIT_CONFIG_VALUE_1: 'false',
          GIT_TERMINAL_PROMPT: '0',
        };
  const git = gitIn(scratch, { ...environment, ...shown });
  const ref = `refs/heads/${branch}`;
  const there = (await git(['ls-remote', '--', address, ref])).split('\t')[0] ?? '';
  if (there === commit) return;
  if (there !== '') {
    throw new ForgeRefused(
      `${branch} at ${place.host} has other commits (${there.slice(0, 12)}).`,
      'Name another --branch, or delete that one there.',
    );
  }
  await git(['push', '--quiet', '--', address, `${commit}:${ref}`]);
}
