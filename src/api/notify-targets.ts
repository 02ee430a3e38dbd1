import type { NotifyTarget } from '../../schema/notify.ts';
import type { StoredRequest } from '../contract/intake.ts';
import type { ApiPorts } from './application.ts';

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
