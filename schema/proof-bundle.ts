import { z } from 'zod';
import { approvalKindSchema, approvalStateSchema } from './approval.ts';
import { trackedCriterionSchema } from './criteria.ts';
import { counterRunSchema, disputeKindSchema, disputeStateSchema } from './dispute.ts';
import { completionSourceSchema, modeSchema, verificationSchema } from './goal.ts';
import { goalProofSchema } from './goal-proof.ts';
import { isolationSchema } from './isolation.ts';
import { ledgerRowSchema } from './ledger.ts';
import { coverageSchema } from './requirement.ts';

const gitId = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** One file of the original that a commit of the repository doesn't have, or has otherwise. */
const baseFileSchema = z.strictObject({
  path: z.string().min(1),
  /** As git writes it: 100644, 100755 or 120000. */
  mode: z.enum(['100644', '100755', '120000']),
  /** The id of its content as git gives it, SHA-1. */
  object: z.string().regex(/^[0-9a-f]{40}$/),
  /** Base64; absent where it is large, holds a known secret, or the bundle is full. */
  content: z.string().optional(),
});

/** How others make the original tree again: a commit, and what differs from it. */
export const proofBaseSchema = z.union([
  z.strictObject({
    /** The workspace's commit at the start; null = it had none, and `files` are all there is. */
    commit: gitId.nullable(),
    files: z.array(baseFileSchema),
    /** Files of the commit that the original doesn't have. */
    gone: z.array(z.string()),
    /** Files that the host could not keep: no proof has them. */
    unkept: z.array(z.string()),
  }),
  /** Why it can't be told. */
  z.strictObject({ missing: z.string() }),
]);

/** A row of the ledger that the proof cites, or the place of one that it doesn't. */
const segmentRowSchema = z.union([
  ledgerRowSchema,
  z.strictObject({ seq: z.int(), hash: z.string() }),
]);

const ledgerSegmentSchema = z.strictObject({
  /** The hash that the first row follows. */
  previous: z.string(),
  rows: z.array(segmentRowSchema).min(1),
  head: z.strictObject({ seq: z.int(), hash: z.string() }),
});

/** The predicate of `goal-proof/v1`: how a goal came to its completion. docs/proof-bundle.md */
export const goalProofPredicateSchema = z.strictObject({
  goal: z.strictObject({
    goalId: z.string(),
    objective: z.string(),
    mode: modeSchema,
    model: z.string(),
    startedAt: z.string(),
    completedAt: z.string(),
  }),
  level: verificationSchema,
  completedBy: completionSourceSchema,
  /** What the model, or a person, claims. */
  result: z.string(),
  isolation: isolationSchema.nullable(),
  proof: goalProofSchema,
  base: proofBaseSchema,
  criteria: z.array(trackedCriterionSchema),
  /** Null where nobody split the objective. */
  requirements: coverageSchema.nullable(),
  approvals: z.array(
    z.strictObject({
      kind: approvalKindSchema,
      question: z.string(),
      state: approvalStateSchema,
      decidedBy: z.string().nullable(),
      decidedAt: z.string().nullable(),
      note: z.string().nullable(),
      /** What was accepted, by name. */
      changes: z.array(z.string()),
    }),
  ),
  disputes: z.array(
    z.strictObject({
      criterionId: z.string(),
      kind: disputeKindSchema,
      explanation: z.string(),
      runs: z.array(counterRunSchema),
      state: disputeStateSchema,
      decidedBy: z.string().nullable(),
      note: z.string().nullable(),
    }),
  ),
  ledger: ledgerSegmentSchema,
});

const digestSchema = z.record(z.string(), z.string());

/** in-toto Statement v1, as far as all predicates share it. */
export const statementSchema = z.strictObject({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z.array(z.strictObject({ name: z.string(), digest: digestSchema })).min(1),
  predicateType: z.string(),
  predicate: z.record(z.string(), z.unknown()),
});

/** DSSE v1 with one signature. */
export const envelopeSchema = z.strictObject({
  payloadType: z.literal('application/vnd.in-toto+json'),
  /** Base64; its form is checked where it is read, as a pattern takes too deep a stack. */
  payload: z.string(),
  signatures: z.tuple([z.strictObject({ keyid: sha256, sig: z.string() })]),
});

export type ProofBase = z.infer<typeof proofBaseSchema>;
export type BaseFile = z.infer<typeof baseFileSchema>;
export type KnownBase = Exclude<ProofBase, { missing: string }>;
export type LedgerSegment = z.infer<typeof ledgerSegmentSchema>;
export type GoalProofPredicate = z.infer<typeof goalProofPredicateSchema>;
export type Statement = z.infer<typeof statementSchema>;
export type Envelope = z.infer<typeof envelopeSchema>;
