import { z } from 'zod';
import type { ApprovalLink, ApprovalLinksPort } from '../contract/notices.ts';
import { askedDigest } from '../store/approvals/asked-digest.ts';
import type { LedgerKeys } from '../store/ledger/ledger-keys.ts';
import { readClaims, signClaims } from './signed-link.ts';

const USE = 'approval link';

const claimsSchema = z.strictObject({
  installation: z.string(),
  goalId: z.string(),
  approvalId: z.string(),
  asked: z.string(),
  as: z.string(),
  expiresAt: z.int(),
});

/**
 * Who decided once is what the approval itself says.
 * @returns null where no key signs
 */
export const signLink = (
  keys: LedgerKeys,
  installation: string,
  { goalId, approvalId, asked, as, expiresAt }: ApprovalLink,
): string | null =>
  signClaims(keys, USE, { installation, goalId, approvalId, asked, as, expiresAt });

export const approvalLinks = (keys: LedgerKeys, installation: string): ApprovalLinksPort => ({
  read(text) {
    const claims = readClaims(keys, USE, text, claimsSchema);
    if (claims?.installation !== installation) return null;
    const { installation: _, ...link } = claims;
    return link;
  },
  isAbout: (link, approval) =>
    approval.approvalId === link.approvalId && askedDigest(approval) === link.asked,
});
