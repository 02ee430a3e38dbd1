import type { NotifyTarget } from '../../schema/notify.ts';
import { whyRefused } from '../webhooks/addresses.ts';
import type { ApiPorts } from './application.ts';
import { problemWith } from './problem-with.ts';

/** What shows before a name is resolved; the sender judges the address that it connects to. */
export function assertTargets(
  { addresses }: Pick<ApiPorts, 'addresses'>,
  targets: readonly NotifyTarget[],
): void {
  for (const [index, { url }] of targets.entries()) {
    const refusal = whyRefused(url, addresses);
    if (refusal !== null) throw problemWith(`notify.${index}.url`, `${refusal}.`);
    if (targets.findIndex((one) => one.url === url) === index) continue;
    throw problemWith(`notify.${index}.url`, 'it is named twice.');
  }
}
