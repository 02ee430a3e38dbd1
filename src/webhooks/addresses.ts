import { BlockList, isIP } from 'node:net';

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
  '::/128',
  '::1/128',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

export interface AddressRules {
  /** May a delivery connect to this address? */
  isPermitted(address: string): boolean;
  /** Is it named as one that may be reached although it is private? */
  isNamed(address: string): boolean;
}

/** @param named addresses and ranges (`10.0.0.0/8`) that may be reached although they are private */
export function addressRules(named: readonly string[]): AddressRules {
  const notPublic = listOf(NOT_PUBLIC);
  const exceptions = listOf(named);
  const isIn = (list: BlockList, address: string) =>
    list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  const isNamed = (address: string) => isIP(address) !== 0 && isIn(exceptions, address);
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
export function literalAddress({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (isIP(bare) !== 0) return bare;
  return /^(.*\.)?localhost\.?$/i.test(bare) ? '127.0.0.1' : null;
}

/** Why a URL can't be a target, as far as it shows by itself; null where it may be one. */
export function whyRefused(url: string, rules: AddressRules): string | null {
  const target = new URL(url);
  const address = literalAddress(target);
  if (address !== null && !rules.isPermitted(address)) {
    return 'it leads to a loopback, link-local or private address, which the service does not allow';
  }
  const isPlain = target.protocol === 'http:';
  return isPlain && (address === null || !rules.isNamed(address))
    ? 'it must be https; http is for addresses that the service allows'
    : null;
}
