import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/** A secret in the notation `whsec_…` is the base64 of its bytes; any other is its own text. */
function keyOf(secret: string): Buffer {
  return secret.startsWith(PREFIX)
    ? Buffer.from(secret.slice(PREFIX.length), 'base64')
    : Buffer.from(secret);
}

/** Headers as Standard Webhooks names them; the signature covers id, time and body. */
export function signedHeaders(
  id: string,
  body: string,
  secret: string,
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const signature = signatureOf(id, timestamp, body, secret).toString('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}

export const signatureOf = (
  id: string,
  timestamp: string,
  body: string | Uint8Array,
  secret: string,
): Buffer =>
  createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest();
