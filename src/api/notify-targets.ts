import type { NotifyTarget } from '../../schema/notify.ts';
import { problemWith } from '../contract/failures.ts';
import type { StoredRequest } from '../contract/intake.ts';
import { whyRefused } from '../webhooks/addresses.ts';
import type { ApiPorts } from './application.ts';

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

/** An amendment's texts wait in its request for their commit, which takes the targets from there. */
export function withTargets(
  { sealTarget }: Pick<ApiPorts, 'sealTarget'>,
  stored: StoredRequest,
  targets: readonly NotifyTarget[] | undefined,
): StoredRequest {
  if (targets === undefined) return stored;
  const body = { ...(stored.body as object), notify: targets.map(sealTarget) };
  return { ...stored, body };
}
