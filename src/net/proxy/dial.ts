import type { lookup } from 'node:dns';
import { connect, isIP, type Socket } from 'node:net';
import { type Destination, type DomainRule, isAddress } from '../../../schema/domain.ts';
import type { AddressRules } from '../../contract/addresses.ts';
import { AddressRefused, judgedLookup } from '../addresses.ts';
import { isListed } from './judge.ts';
import type { ProxyLimits } from './limits.ts';
import { ConnectionRefused, type Refused } from './refusals.ts';

export interface Dialling {
  readonly domains: readonly DomainRule[];
  readonly addresses: AddressRules;
  readonly limits: ProxyLimits;
  /** How names are resolved; as the machine does unless told. */
  readonly resolve?: typeof lookup;
}

/**
 * Connects to a listed place, at exactly the address that was judged.
 * @throws ConnectionRefused
 */
export async function dial(to: Destination, dialling: Dialling): Promise<Socket> {
  if (!isListed(dialling.domains, to)) throw new ConnectionRefused('not_listed');
  const { addresses, limits } = dialling;
  const host = to.host.replace(/^\[|\]$/g, '');
  // What is an address already is never looked up.
  if (isAddress(to.host) !== (isIP(host) !== 0)) throw new ConnectionRefused('unreadable');
  if (isAddress(to.host) && !addresses.isPermitted(host)) throw new ConnectionRefused('not_public');
  const lookup = judgedLookup(addresses, dialling.resolve);
  return await new Promise((resolved, reject) => {
    const socket = connect({ host, port: to.port, lookup, noDelay: true });
    const refuse = (why: Refused) => {
      socket.destroy();
      reject(new ConnectionRefused(why));
    };
    socket.setTimeout(limits.connectMs, () => refuse('unanswered'));
    socket.once('error', (error) => refuse(whyOf(error)));
    socket.once('connect', () => {
      socket.removeAllListeners('error').removeAllListeners('timeout').setTimeout(0);
      socket.on('error', () => {});
      resolved(socket);
    });
  });
}

const UNRESOLVED = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'EAI_NODATA']);

function whyOf(error: NodeJS.ErrnoException): Refused {
  if (error instanceof AddressRefused) return 'not_public';
  return UNRESOLVED.has(error.code ?? '') ? 'unresolved' : 'unanswered';
}
