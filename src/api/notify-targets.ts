import type { NotifyTarget } from '../../schema/notify.ts';
import type { StoredRequest } from '../contract/intake.ts';
import type { Ports } from './application.ts';

/** The targets travel in the amendment's request; the commit takes them from there. */
export function withTargets(
  { sealTarget }: Ports<'sealTarget'>,
  stored: StoredRequest,
  targets: readonly NotifyTarget[] | undefined,
): StoredRequest {
  if (targets === undefined) return stored;
  const body = { ...(stored.body as object), notify: targets.map(sealTarget) };
  return { ...stored, body };
}
