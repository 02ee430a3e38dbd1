import { BlockList, isIP } from 'node:net';

const local = new BlockList();
local.addSubnet('0.0.0.0', 8);
local.addSubnet('127.0.0.0', 8);
local.addSubnet('169.254.0.0', 16);
local.addSubnet('224.0.0.0', 4);
local.addAddress('255.255.255.255');
// Also the unspecified address, the loopback, and IPv4 in its old wrapping.
local.addSubnet('::', 96, 'ipv6');
local.addSubnet('fe80::', 10, 'ipv6');
local.addSubnet('ff00::', 8, 'ipv6');

/** Loopback, link-local (where clouds keep credentials), unspecified and multicast addresses. */
export function isLocalAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const family = isIP(bare);
  if (family === 0) return false;
  return local.check(bare, family === 6 ? 'ipv6' : 'ipv4');
}
