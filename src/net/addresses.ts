import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';
import type { AddressRules } from '../contract/addresses.ts';

/** All addresses, for a service whose operator trusts everyone who gives it URLs. */
export const ANYWHERE: readonly string[] = ['0.0.0.0/0', '::/0'];

/** @param named addresses and ranges (`10.0.0.0/8`) that may be reached although they are not public */
export function addressRules(named: readonly string[]): AddressRules {
  const exceptions = named.map(rangeOf);
  const isNamed = (address: string) => {
    const parsed = parsedAddress(address);
    return parsed !== null && exceptions.some((range) => isIn(parsed, range));
  };
  const isPermitted = (address: string) => isNamed(address) || isPublic(parsedAddress(address));
  return { isNamed, isPermitted };
}

type Address = IPv4 | IPv6;
type Range = readonly [Address, number];

/** All that is given out to hosts of the public internet so far; RFC 4291 and 6890. */
const GLOBAL_UNICAST: Range = ipaddr.parseCIDR('2000::/3');

/** An address is public only if a registry has assigned it for public use. */
function isPublic(address: Address | null): boolean {
  if (address?.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || isIn(address, GLOBAL_UNICAST);
}

function isIn(address: Address, [start, bits]: Range): boolean {
  return address.kind() === start.kind() && address.match(start as never, bits);
}

/** Null if it is no address; an IPv4-mapped address becomes the IPv4 address. */
function parsedAddress(given: string): Address | null {
  const address = given.replace(/%.*$/, '');
  return isIP(address) === 0 ? null : ipaddr.process(address);
}

/** @throws if an entry is neither an address nor a range */
function rangeOf(entry: string): Range {
  const [address = ''] = entry.split('/');
  if (isIP(address) === 0) throw new Error(`${entry} is no address`);
  const [start, bits] = ipaddr.parseCIDR(
    entry.includes('/') ? entry : `${entry}/${WHOLE[isIP(address) as 4 | 6]}`,
  );
  if (start instanceof ipaddr.IPv6 && start.isIPv4MappedAddress() && bits >= 96) {
    return [start.toIPv4Address(), bits - 96];
  }
  return [start, bits];
}

const WHOLE = { 4: 32, 6: 128 } as const;

export function isAddressEntry(entry: string): boolean {
  try {
    rangeOf(entry);
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
 * Resolves a name to its addresses if all of them are permitted, and refuses it otherwise. The
 * connection goes to the addresses that were judged. Not called for literal addresses.
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
