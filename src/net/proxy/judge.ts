import type { NetworkInterfaceInfo } from 'node:os';
import {
  type Destination,
  type DomainRule,
  hostOf,
  isAddress,
  namesHost,
} from '../../../schema/domain.ts';
import type { AddressRules } from '../../contract/addresses.ts';
import { addressRules } from '../addresses.ts';
import type { Hello } from './client-hello.ts';
import type { Refused } from './refusals.ts';

export const isListed = (rules: readonly DomainRule[], { host, port }: Destination): boolean =>
  rules.some((rule) => rule.ports.includes(port) && namesHost(rule, host));

/** A platform's own service at a public address, which answers machines there with their secrets. */
const OF_PLATFORMS: readonly string[] = ['168.63.129.16'];

/**
 * Public addresses without the machine's own, on which what listens everywhere answers as well.
 *
 * @param named by the operator: these may be reached all the same
 */
export function reachableAddresses(
  named: readonly string[],
  interfaces: readonly Pick<NetworkInterfaceInfo, 'address'>[],
): AddressRules {
  const rules = addressRules(named);
  const own = addressRules([...interfaces.map(({ address }) => bare(address)), ...OF_PLATFORMS]);
  const { isNamed } = rules;
  return {
    isNamed,
    isPermitted: (address) =>
      isNamed(address) || (rules.isPermitted(address) && !own.isNamed(address)),
  };
}

const bare = (address: string): string => address.replace(/%.*$/, '');

/** Whether a client speaks TLS with the very server that it was connected to; null = it does. */
export function helloIssue(hello: Hello, { host }: Destination): Refused | null {
  if (hello.kind !== 'hello') return 'not_tls';
  // A server that is asked for by its address has no name (RFC 6066).
  if (hello.serverName === null) return isAddress(host) ? null : 'no_server_name';
  return hostOf(hello.serverName) === host ? null : 'other_server_name';
}

/** Headers that are for this connection alone (RFC 9110, 7.6.1), or for the proxy. */
const OWN = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'host', 'expect'],
  ...[
    'proxy-authorization',
    'proxy-authenticate',
    'proxy-authentication-info',
    'transfer-encoding',
  ],
]);

/** Names and values by turns, as Node reads them, without those of the connection. */
export function passedHeaders(raw: readonly string[]): string[] {
  const pairs = raw.flatMap((name, index) =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : [],
  );
  const named = pairs.filter(([name]) => name.toLowerCase() === 'connection');
  const also = named.flatMap(([, value]) =>
    value
      .toLowerCase()
      .split(',')
      .map((one) => one.trim()),
  );
  const dropped = new Set([...OWN, ...also.filter((name) => name !== 'content-length')]);
  return pairs.filter(([name]) => !dropped.has(name.toLowerCase())).flat();
}
