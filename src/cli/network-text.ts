import type { Policy } from '../../schema/policy.ts';
import { oneLine } from './terminal.ts';

/** What commands reach, in words; null = nothing. */
export function networkText({ sandbox }: Pick<Policy, 'sandbox'>): string | null {
  const { network = 'none' } = sandbox ?? {};
  if (network === 'none') return null;
  if (network === 'host') return "THE MACHINE'S, with all that listens there";
  return `by a proxy to ${oneLine(network.domains.join(', '), 600)}`;
}
