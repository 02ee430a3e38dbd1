import { createHash } from 'node:crypto';
import type { TriggerTerms } from '../../contract/triggers.ts';
import { decrypt, encrypt } from '../../sealed/cipher.ts';
import type { SealedKeys } from '../../sealed/keys.ts';
import { canonicalStorable } from '../json.ts';

export interface StoredSecret {
  readonly keyId: string;
  readonly secret: Buffer;
}

/**
 * The secret is encrypted for all that its trigger does and by whose rights. A row that was edited
 * in the database opens no secret, so no delivery to it is taken.
 */
export function sealTriggerSecret(
  keys: SealedKeys,
  terms: TriggerTerms,
  secret: string,
): StoredSecret {
  const key = keys.sealing();
  return { keyId: key.keyId, secret: encrypt(key, placeOf(terms), Buffer.from(secret)) };
}

/** Null where this host has no such key, or the terms are not those that it was sealed with. */
export function openTriggerSecret(
  keys: SealedKeys,
  terms: TriggerTerms,
  { keyId, secret }: StoredSecret,
): string | null {
  const key = keys.find(keyId);
  return key === undefined ? null : (decrypt(key, placeOf(terms), secret)?.toString() ?? null);
}

function placeOf(terms: TriggerTerms): string {
  const { triggerId, name, kind, filter, parameters, action, mostPerHour, owner, ownerRole } =
    terms;
  const does = { filter, parameters, action, mostPerHour };
  const all = { triggerId, name, kind, ...does, owner, ownerRole };
  const digest = createHash('sha256').update(canonicalStorable(all)).digest('hex');
  return `inbound trigger ${digest}`;
}
