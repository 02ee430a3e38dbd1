import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { SealedKey } from './keys.ts';
import { NONCE_BYTES, nextNonce } from './nonces.ts';

const CIPHER = 'aes-256-gcm';
const TAG_BYTES = 16;

/** @param place what the text belongs to: it opens nowhere else */
export function encrypt(key: SealedKey, place: string, text: Uint8Array): Buffer {
  const nonce = nextNonce();
  const cipher = createCipheriv(CIPHER, key.bytes, nonce).setAAD(Buffer.from(place));
  const sealed = [cipher.update(text), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]);
}

/** Null where it is not what was sealed for this place by this key. */
export function decrypt(key: SealedKey, place: string, stored: Uint8Array): Buffer | null {
  if (stored.byteLength < NONCE_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv(CIPHER, key.bytes, stored.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(place))
      .setAuthTag(stored.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const opened = decipher.update(stored.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]);
  } catch {
    return null;
  }
}
