import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { ApprovalLink, ApprovalLinksPort } from '../contract/notices.ts';
import { askedDigest } from '../store/approvals/asked-digest.ts';
import type { LedgerKey, LedgerKeys } from '../store/ledger/ledger-keys.ts';

/**
 * A link is `KEY.CLAIMS.SIGNATURE`: the id of the key, the claims in base64url, and their HMAC with
 * a key that is made for links alone. It grants what its claims say and is stored nowhere: who
 * decided once is what the approval itself says.
 */
export const MOST_LINK_CHARACTERS = 1500;

const claimsSchema = z.strictObject({
  installation: z.string(),
  goalId: z.string(),
  approvalId: z.string(),
  asked: z.string(),
  as: z.string(),
  expiresAt: z.int(),
});

/** @returns null where no key signs */
export function signLink(
  { sealing }: LedgerKeys,
  installation: string,
  { goalId, approvalId, asked, as, expiresAt }: ApprovalLink,
): string | null {
  if (sealing === null) return null;
  const claims = { installation, goalId, approvalId, asked, as, expiresAt };
  const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${sealing.keyId}.${text}.${signatureOf(sealing, text).toString('base64url')}`;
}

export function approvalLinks(keys: LedgerKeys, installation: string): ApprovalLinksPort {
  return {
    read(text) {
      const [keyId = '', claims = '', given = '', ...more] = text.split('.');
      const key = keys.find(keyId);
      if (key === undefined || more.length > 0 || text.length > MOST_LINK_CHARACTERS) return null;
      const wanted = signatureOf(key, claims);
      const signature = Buffer.from(given, 'base64url');
      // Bits behind the last byte would make two texts of one signature.
      const isRight =
        given === signature.toString('base64url') &&
        signature.length === wanted.length &&
        timingSafeEqual(signature, wanted);
      if (!isRight) return null;
      const parsed = claimsSchema.safeParse(
        JSON.parse(Buffer.from(claims, 'base64url').toString()),
      );
      if (!parsed.success || parsed.data.installation !== installation) return null;
      const { installation: _, ...link } = parsed.data;
      return link;
    },
    isAbout: (link, approval) =>
      approval.approvalId === link.approvalId && askedDigest(approval) === link.asked,
  };
}

const signatureOf = (key: LedgerKey, claims: string): Buffer =>
  createHmac('sha256', keyOf(key)).update(`approval link 1\n${claims}`).digest();

/** Another one than the ledger is sealed with, made of the same secret. */
const keyOf = ({ secret }: LedgerKey): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'goalkeeper', 'approval links', 32));
