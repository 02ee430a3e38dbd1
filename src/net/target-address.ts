import type { AddressRules } from '../contract/addresses.ts';
import { literalAddress } from './addresses.ts';

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
