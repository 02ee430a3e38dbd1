import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { isSealed, type NotifyTarget, SEALED } from '../../schema/notify.ts';
import type { LedgerKey, LedgerKeys } from '../store/ledger/ledger-keys.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * A target as it is stored. With the service's key its secret is encrypted and bound to this URL,
 * so the database alone doesn't reveal it. Without a key it is stored as it is.
 */
export function sealTarget(target: NotifyTarget, { sealing }: LedgerKeys): NotifyTarget {
  if (sealing === null || target.secret === undefined) return target;
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(sealing), nonce).setAAD(Buffer.from(target.url));
  const sealed = Buffer.concat([cipher.update(target.secret, 'utf8'), cipher.final()]);
  const text = Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  return { ...target, secret: `${SEALED}${sealing.keyId}:${text}` };
}

/** The secret that was sealed for this URL; null where none of the keys opens it. */
export function openSecret(stored: string, url: string, keys: LedgerKeys): string | null {
  if (!isSealed(stored)) return stored;
  const [keyId = '', text = ''] = stored.slice(SEALED.length).split(':');
  const key = keys.find(keyId);
  const bytes = Buffer.from(text, 'base64url');
  if (key === undefined || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(key), bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(url))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/** Another one than the ledger is sealed with, made of the same secret. */
const keyOf = ({ secret }: LedgerKey): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'goalkeeper', 'webhook secrets', 32));
