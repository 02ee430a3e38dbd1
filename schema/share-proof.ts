import { z } from 'zod';

export const MOST_SHARED_DAYS = 30;

export const shareProofSchema = z.strictObject({
  /** Then the link shows nothing any more. */
  days: z.int().min(1).max(MOST_SHARED_DAYS).default(7),
});

export const sharedProofSchema = z.strictObject({
  linkId: z.string(),
  /** Of the service; its host is the caller's to know. */
  path: z.string(),
  expiresAt: z.string(),
});

/** A link that was made, without its secret: nobody reads the link itself again. */
export const proofLinkSchema = z.strictObject({
  linkId: z.string(),
  /** Name of the token whose rights it has. */
  madeBy: z.string(),
  madeAt: z.string(),
  expiresAt: z.string(),
  state: z.enum(['open', 'expired', 'taken_back']),
  /** Who took it back; null = nobody did. */
  takenBackBy: z.string().nullable(),
});

export type ProofLinkMade = z.infer<typeof proofLinkSchema>;
