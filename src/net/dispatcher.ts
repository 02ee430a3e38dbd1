import { Agent, buildConnector } from 'undici';
import type { AddressRules } from '../contract/addresses.ts';
import { AddressRefused, judgedLookup, literalAddress } from './addresses.ts';

/**
 * Connects only to permitted addresses. Each connection is judged by its actual address, which
 * defeats DNS rebinding.
 */
export function judgedDispatcher(
  addresses: AddressRules,
  { connectMs, ...limits }: Limits = {},
): Agent {
  const lookup = judgedLookup(addresses);
  const connect = buildConnector({
    lookup,
    ...(connectMs === undefined ? {} : { timeout: connectMs }),
  });
  return new Agent({
    ...limits,
    connect(options, callback) {
      const address = literalAddress(options);
      if (address !== null && !addresses.isPermitted(address)) {
        callback(new AddressRefused('it leads to an address that is not allowed'), null);
      } else connect(options, callback);
    },
  });
}

/** In milliseconds; 0 means without end, and absent what undici waits. */
interface Limits {
  readonly connectMs?: number;
  readonly headersTimeout?: number;
  readonly bodyTimeout?: number;
}
