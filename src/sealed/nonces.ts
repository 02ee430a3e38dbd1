import { randomFillSync } from 'node:crypto';

export const NONCE_BYTES = 12;

/** The system is asked for so many at once: alone, asking takes longer than what a nonce is for. */
const AT_ONCE = 256;

let left = Buffer.alloc(0);

/** Random bytes that nobody else gets. */
export function nextNonce(): Buffer {
  if (left.byteLength === 0) left = randomFillSync(Buffer.allocUnsafeSlow(NONCE_BYTES * AT_ONCE));
  const nonce = left.subarray(0, NONCE_BYTES);
  left = left.subarray(NONCE_BYTES);
  return nonce;
}
