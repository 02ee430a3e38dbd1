import type { AttachmentRef } from '../../schema/attachment.ts';
import type { Principal } from '../../schema/role.ts';
import { Refusal } from '../contract/failures.ts';
import type { Ports } from './application.ts';

/**
 * The files that a request names, as their owner uploaded them. Whose another one is, nobody is told.
 * @throws Refusal invalid_request
 */
export async function namedAttachments(
  { attachments }: Ports<'attachments'>,
  { name: owner }: Principal,
  ids: readonly string[] = [],
): Promise<readonly AttachmentRef[]> {
  const found = await attachments.find(ids, owner);
  const hashes = new Set<string>();
  return ids.map((id, index) => {
    const field = `attachments.${index}`;
    if (ids.indexOf(id) < index) throw wrong(field, `${id} is named twice: leave one out`);
    const ref = found.get(id);
    if (ref === undefined) {
      throw wrong(field, `${id} is no upload of yours, or has expired: upload the file again`);
    }
    if (hashes.has(ref.sha256)) {
      throw wrong(field, `${ref.name} holds the same as another one: leave one out`);
    }
    hashes.add(ref.sha256);
    return ref;
  });
}

const wrong = (field: string, why: string): Refusal =>
  new Refusal('invalid_request', `${field}: ${why}.`, { field });

/** What a mutation carries of them. */
export async function withAttachments<Kind extends object>(
  ports: Ports<'attachments'>,
  principal: Principal,
  ids: readonly string[] | undefined,
  change: Kind,
): Promise<Kind & { readonly attachments?: readonly AttachmentRef[] }> {
  if (ids === undefined) return change;
  return { ...change, attachments: await namedAttachments(ports, principal, ids) };
}
