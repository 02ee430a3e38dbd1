import { z } from 'zod';

export const MOST_SHARED_DAYS = 30;

export const shareProofSchema = z.strictObject({
  /** Then the link shows nothing any more. */
  days: z.int().min(1).max(MOST_SHARED_DAYS).default(7),
});

export const sharedProofSchema = z.strictObject({
  /** Of the service; its host is the caller's to know. */
  path: z.string(),
  expiresAt: z.string(),
});
