import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto';
import type { SealedKey } from './keys.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The system is asked for so many at once: alone, asking takes longer than the cipher. */
const NONCES_AT_ONCE = 256;
let nonces = Buffer.alloc(0);

/** Random bytes that nobody else gets. */
function nextNonce(): Buffer {
  if (nonces.byteLength === 0) {
    nonces = randomFillSync(Buffer.allocUnsafeSlow(NONCE_BYTES * NONCES_AT_ONCE));
  }
  const nonce = nonces.subarray(0, NONCE_BYTES);
  nonces = nonces.subarray(NONCE_BYTES);
  return nonce;
}

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
