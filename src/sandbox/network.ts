import type { CommandScope, Reach } from '../contract/effects.ts';
import { CommandsRefused } from '../contract/failures.ts';
import type { Protection } from './probe.ts';
import { programPath } from './program-path.ts';

/** Of one command: a loopback of its own, the machine's, or one with a proxy as its only way out. */
export type CommandNetwork =
  | { readonly kind: 'none' | 'host' }
  | { readonly kind: 'listed'; readonly domains: readonly string[]; readonly nsenter: string };

/** Where the proxy listens in the network of its command. */
export const PROXY_PORT = 3128;

/**
 * Listed domains are for commands of the model and for checks that fetch what they need. What proves
 * in the original's place, and what is sealed, has no network with them.
 *
 * @throws CommandsRefused where no network can be made that would keep the list
 */
export function networkOf(
  { hasOwnNetwork, why }: Pick<Protection, 'hasOwnNetwork' | 'why'>,
  { network }: Pick<CommandScope, 'network'>,
  { network: own, isSealed = false, isInPlace = false }: Reach,
): CommandNetwork {
  const asked = own ?? network;
  if (typeof asked === 'string') {
    return { kind: (isSealed || asked === 'none') && hasOwnNetwork ? 'none' : 'host' };
  }
  if (!hasOwnNetwork) throw new CommandsRefused(`${UNKEPT}, as ${why}: ${INSTALL}, ${OR_ELSE}`);
  const nsenter = programPath('nsenter');
  if (nsenter === null) {
    throw new CommandsRefused(`${UNKEPT} without nsenter: install util-linux, ${OR_ELSE}`);
  }
  if (isSealed || isInPlace) return { kind: 'none' };
  return { kind: 'listed', domains: asked.domains, nsenter };
}

const UNKEPT = "this machine can't keep commands to the domains that policy.sandbox.network lists";
const INSTALL = 'install bubblewrap and let the worker make networks (docs/security.md)';
const OR_ELSE = 'or have a person change it to "none" or "host"';

const HERE = 'localhost,127.0.0.1,::1';

/** Programs that ignore these reach nothing. Node listens to them from 22.21 on. */
export function proxyVariables(): Record<string, string> {
  const proxy = `http://127.0.0.1:${PROXY_PORT}`;
  const named = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: HERE };
  const lower = Object.entries(named).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    ...named,
    ...Object.fromEntries(lower),
    NODE_USE_ENV_PROXY: '1',
    npm_config_proxy: proxy,
    npm_config_https_proxy: proxy,
    npm_config_noproxy: HERE,
    CARGO_HTTP_PROXY: proxy,
    YARN_HTTP_PROXY: proxy,
    YARN_HTTPS_PROXY: proxy,
  };
}
