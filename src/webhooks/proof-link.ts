import { z } from 'zod';
import type { ProofLinksPort } from '../contract/proof-export.ts';
import type { LedgerKeys } from '../store/ledger/ledger-keys.ts';
import { readClaims, signClaims } from './signed-link.ts';

const USE = 'proof link';

const claimsSchema = z.strictObject({
  installation: z.string(),
  linkId: z.string(),
  goalId: z.string(),
  head: z.string(),
  as: z.string(),
  expiresAt: z.int(),
});

export const proofLinks = (keys: LedgerKeys, installation: string): ProofLinksPort => ({
  sign: ({ linkId, goalId, head, as, expiresAt }) =>
    signClaims(keys, USE, { installation, linkId, goalId, head, as, expiresAt }),
  read(text) {
    const claims = readClaims(keys, USE, text, claimsSchema);
    if (claims?.installation !== installation) return null;
    const { installation: _, ...link } = claims;
    return link;
  },
});
