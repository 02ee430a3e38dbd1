import { z } from 'zod';

const hex = z.string().regex(/^[0-9a-f]{64}$/);

/** What a goal's ledger and seals ended with; of the security log, its entries. */
export const anchorLeafSchema = z.strictObject({
  /** The goal, or `security-log`. */
  subject: z.string(),
  seq: z.int(),
  head: z.string(),
  seals: z.int(),
  sealHead: z.string().nullable(),
});

/**
 * A signed head of the whole record, with what leads to it from the one before: the roots of that
 * one's whole subtrees and the leaves that came since.
 */
export const anchorSchema = z.strictObject({
  version: z.literal(1),
  /** Leaves of the Merkle tree (RFC 9162) that the root is of. */
  size: z.int().min(1),
  root: hex,
  at: z.string(),
  keyId: z.string(),
  /** HMAC-SHA-256 by the ledger's key. */
  signature: z.string(),
  from: z.strictObject({ size: z.int().min(0), peaks: z.array(hex).max(64) }),
  leaves: z.array(anchorLeafSchema).max(100_000),
});

export const anchorFaultSchema = z.strictObject({
  /** Size of the anchor that shows it. */
  size: z.int(),
  fault: z.enum([
    /** The database is of an earlier time, or lost what was anchored. */
    'older',
    'vanished',
    'went_back',
    'replaced',
    /** Two anchors, or an anchor and the database, are no continuation of each other. */
    'inconsistent',
    'forged',
    'key',
    /** A place whose anchors can't be read, or not all of them. */
    'unreadable',
    /** A place that lost what was brought there. */
    'lost',
  ]),
  /** The goal that it is about. */
  subject: z.string().optional(),
  problem: z.string(),
});

export const anchorVerdictSchema = z.strictObject({
  holds: z.boolean(),
  /** Anchors that were compared. */
  anchors: z.int(),
  /** Size of the largest; 0 = there is none. */
  size: z.int(),
  at: z.string().nullable(),
  faults: z.array(anchorFaultSchema),
  wayOut: z.string().optional(),
});

export const anchorTargetStateSchema = z.strictObject({
  target: z.string(),
  /** Size of the newest head that it took; null = none. */
  size: z.int().nullable(),
  at: z.string().nullable(),
  /** Heads that wait for it, and what went wrong with the last one. */
  waiting: z.int(),
  error: z.string().nullable(),
});

export const anchorStateSchema = z.strictObject({
  /** The newest signed head; null = there is none. */
  head: z.strictObject({ size: z.int(), root: z.string(), at: z.string() }).nullable(),
  targets: z.array(anchorTargetStateSchema),
});

export type Anchor = z.infer<typeof anchorSchema>;
export type AnchorLeaf = z.infer<typeof anchorLeafSchema>;
export type AnchorFault = z.infer<typeof anchorFaultSchema>;
export type AnchorVerdict = z.infer<typeof anchorVerdictSchema>;
export type AnchorState = z.infer<typeof anchorStateSchema>;
