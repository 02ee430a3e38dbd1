import { lookup as resolve } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { AddressRules } from '../contract/addresses.ts';

/** What isn't a host of the public internet: RFC 6890 and what stands for IPv4 in IPv6. */
const NOT_PUBLIC: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

/** Names everything, for a service whose operator trusts whoever gives it URLs. */
export const ANYWHERE: readonly string[] = ['0.0.0.0/0', '::/0'];

/** @param named addresses and ranges (`10.0.0.0/8`) that may be reached although they are not public */
export function addressRules(named: readonly string[]): AddressRules {
  const notPublic = listOf(NOT_PUBLIC);
  const exceptions = listOf(named);
  const isIn = (list: BlockList, given: string) => {
    const address = given.replace(/%.*$/, '');
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
  const isNamed = (address: string) => isIn(exceptions, address);
  return {
    isNamed,
    isPermitted: (address) =>
      isIP(address) !== 0 && (isNamed(address) || !isIn(notPublic, address)),
  };
}

/** @throws where an entry is neither an address nor a range */
function listOf(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

export function isAddressEntry(entry: string): boolean {
  try {
    listOf([entry]);
    return true;
  } catch {
    return false;
  }
}

/** The host of a URL as an address, where it is one. */
export function literalAddress({ hostname }: Pick<URL, 'hostname'>): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (isIP(bare) !== 0) return bare;
  return /^(.*\.)?localhost\.?$/i.test(bare) ? '127.0.0.1' : null;
}

export class AddressRefused extends Error {}

/**
 * Resolves names to addresses that are permitted, all of them, or to none; whoever connects does so
 * to what was judged. Not called for literal addresses.
 */
export function judgedLookup(
  rules: AddressRules,
  resolveName: typeof resolve = resolve,
): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => rules.isPermitted(address))) {
        const refused = new AddressRefused('its name leads to an address that is not allowed');
        return callback(refused, '', 0);
      }
      if (options.all === true) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}
