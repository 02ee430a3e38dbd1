import { forgeCall } from './call.ts';
import type { Forge } from './forge.ts';
import { giteaForge, githubForge } from './github.ts';
import { gitlabForge } from './gitlab.ts';
import { originOf, type Place } from './place.ts';
import { ForgeRefused } from './refused.ts';

interface Kind {
  /** Names one more host of this kind; one with another port is another host. */
  readonly host: string;
  readonly token: string;
  readonly known: readonly string[];
  readonly api: (origin: string, host: string) => string;
  readonly header: (token: string) => Record<string, string>;
  readonly forge: typeof githubForge;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const KINDS: readonly Kind[] = [
  {
    ...{ host: 'GH_HOST', token: 'GITHUB_TOKEN', known: ['github.com'] },
    api: (origin, host) => (host === 'github.com' ? 'https://api.github.com' : `${origin}/api/v3`),
    header: bearer,
    forge: githubForge,
  },
  {
    ...{ host: 'GITLAB_HOST', token: 'GITLAB_TOKEN', known: ['gitlab.com'] },
    api: (origin) => `${origin}/api/v4`,
    header: bearer,
    forge: gitlabForge,
  },
  {
    ...{ host: 'GITEA_HOST', token: 'GITEA_TOKEN', known: ['codeberg.org'] },
    api: (origin) => `${origin}/api/v1`,
    header: (token) => ({ authorization: `token ${token}` }),
    forge: giteaForge,
  },
];

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

export interface OpenedForge {
  readonly forge: Forge;
  /** Empty where none is needed. */
  readonly token: string;
}

/**
 * The forge of a repository. A token goes to the hosts that are known for its kind and to the one
 * that the environment names beside it: a remote's address, which a goal may have changed, sends it
 * nowhere else.
 * @param needsToken false = what everybody may read is asked for without one
 * @throws ForgeRefused
 */
export function openForge(
  place: Place,
  environment: NodeJS.ProcessEnv,
  needsToken = true,
): OpenedForge {
  const { host, path } = place;
  if (place.isPlain && !LOOPBACK.test(host)) {
    throw new ForgeRefused(
      `The address of ${host} is http: everybody on the way would read the token.`,
      'Give the remote an https address.',
    );
  }
  const kind = KINDS.find(
    (one) => one.known.includes(host) || environment[one.host]?.toLowerCase() === host,
  );
  if (kind === undefined) {
    throw new ForgeRefused(
      `Nobody said what kind of forge ${host} is.`,
      KINDS.map((one) => `${one.host}=${host} with ${one.token}`)
        .join(', or ')
        .concat('.'),
    );
  }
  const token = environment[kind.token] ?? '';
  if (token === '' && needsToken) {
    throw new ForgeRefused(
      `There is no token for ${host}.`,
      `Set ${kind.token} to one that may write pull requests there.`,
    );
  }
  const call = forgeCall(kind.api(originOf(place), host), token === '' ? {} : kind.header(token));
  return { forge: kind.forge(call, path), token };
}
