import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import type { LedgerKey, LedgerKeys } from '../store/ledger/ledger-keys.ts';

/** What a link is for; one that is signed for another use is an altered one. */
export type LinkUse = 'approval link' | 'proof link';

/**
 * A link is `KEY.CLAIMS.SIGNATURE`: the id of the key, the claims in base64url, and their HMAC with
 * a key that is made for this use alone. It grants what its claims say and is stored nowhere.
 */
const MOST_LINK_CHARACTERS = 1500;

/** @returns null where no key signs */
export function signClaims(
  { sealing }: LedgerKeys,
  use: LinkUse,
  claims: Readonly<Record<string, string | number>>,
): string | null {
  if (sealing === null) return null;
  const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${sealing.keyId}.${text}.${signatureOf(sealing, use, text).toString('base64url')}`;
}

/** @returns null where nobody here made it */
export function readClaims<Claims>(
  keys: LedgerKeys,
  use: LinkUse,
  text: string,
  schema: z.ZodType<Claims>,
): Claims | null {
  const [keyId = '', claims = '', given = '', ...more] = text.split('.');
  const key = keys.find(keyId);
  if (key === undefined || more.length > 0 || text.length > MOST_LINK_CHARACTERS) return null;
  const wanted = signatureOf(key, use, claims);
  const signature = Buffer.from(given, 'base64url');
  // Bits behind the last byte would make two texts of one signature.
  const isRight =
    given === signature.toString('base64url') &&
    signature.length === wanted.length &&
    timingSafeEqual(signature, wanted);
  if (!isRight) return null;
  const parsed = schema.safeParse(JSON.parse(Buffer.from(claims, 'base64url').toString()));
  return parsed.success ? parsed.data : null;
}

const signatureOf = (key: LedgerKey, use: LinkUse, claims: string): Buffer =>
  createHmac('sha256', keyOf(key, use)).update(`${use} 1\n${claims}`).digest();

/** Another one than the ledger is sealed with, made of the same secret. */
const keyOf = ({ secret }: LedgerKey, use: LinkUse): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'goalkeeper', `${use}s`, 32));
