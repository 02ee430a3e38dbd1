import { z } from 'zod';
import { approvalSchema } from './approval.ts';
import { goalAttachmentSchema } from './attachment.ts';
import { goalDiffSchema } from './checkpoint.ts';
import { delegateSchema } from './delegate.ts';
import { disputeSchema } from './dispute.ts';
import { goalSchema } from './goal.ts';
import { chainVerdictSchema, ledgerRowSchema } from './ledger.ts';
import { askedModelCallSchema, modelCallSchema } from './model-call.ts';
import { planSchema, shownTodoListSchema } from './todo.ts';
import { turnSchema } from './turn.ts';

/**
 * A goal as one file: JSON lines, UTF-8. The first says what it is, the last one how many there were
 * and their SHA-256, so that a file that was cut off or edited shows. docs/cli.md
 */
export const ARCHIVE_FORMAT = 'goalkeeper/goal-archive';
/** Another number wherever a reader of this one would misread what is written. */
export const ARCHIVE_VERSION = 1;

export const archiveHeaderSchema = z.strictObject({
  format: z.literal(ARCHIVE_FORMAT),
  version: z.int().min(1),
  goalId: z.string().regex(/^g-[0-9a-f]{16}$/),
  at: z.string(),
  /** Version of the product that wrote it. */
  by: z.string(),
});

const itemsOf = <Item extends z.ZodType>(item: Item) => z.array(item);

const questionSchema = z.looseObject({
  question: z.looseObject({ text: z.string(), options: z.array(z.string()) }).nullable(),
});

export const archiveRecordSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('goal'), value: goalSchema }),
  /** What the service said of its ledger, which it can judge with its key. */
  z.strictObject({ kind: z.literal('chain'), value: chainVerdictSchema }),
  z.strictObject({ kind: z.literal('turn'), value: turnSchema }),
  z.strictObject({
    kind: z.literal('model-calls'),
    turn: z.int(),
    value: itemsOf(modelCallSchema),
  }),
  /** With what was asked and answered, where that was wanted. */
  z.strictObject({ kind: z.literal('request'), turn: z.int(), value: askedModelCallSchema }),
  z.strictObject({ kind: z.literal('row'), value: ledgerRowSchema }),
  z.strictObject({ kind: z.literal('todos'), value: shownTodoListSchema }),
  z.strictObject({ kind: z.literal('gate'), value: z.looseObject({}) }),
  z.strictObject({ kind: z.literal('plan'), value: planSchema.nullable() }),
  z.strictObject({ kind: z.literal('question'), value: questionSchema }),
  z.strictObject({ kind: z.literal('approvals'), value: itemsOf(approvalSchema) }),
  z.strictObject({ kind: z.literal('disputes'), value: itemsOf(disputeSchema) }),
  z.strictObject({ kind: z.literal('delegates'), value: itemsOf(delegateSchema) }),
  z.strictObject({ kind: z.literal('attachments'), value: itemsOf(goalAttachmentSchema) }),
  /** From before the first write to the state at the export. */
  z.strictObject({ kind: z.literal('diff'), value: goalDiffSchema }),
  /** The signed bundle, byte for byte: docs/proof-bundle.md */
  z.strictObject({ kind: z.literal('proof'), value: z.string() }),
  /** A piece of the output of a row (its seq), or of a file (its SHA-256), from byte `at` on. */
  z.strictObject({
    kind: z.literal('bytes'),
    of: z.enum(['output', 'attachment']),
    name: z.string(),
    at: z.int(),
    value: z.union([z.strictObject({ text: z.string() }), z.strictObject({ base64: z.base64() })]),
  }),
  /** What could not be had, and why. */
  z.strictObject({ kind: z.literal('missing'), of: z.string(), why: z.string() }),
]);

export const archiveEndSchema = z.strictObject({
  kind: z.literal('end'),
  /** Lines between the first and this one. */
  records: z.int(),
  /** SHA-256 of all bytes before this line. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export type ArchiveHeader = z.infer<typeof archiveHeaderSchema>;
export type ArchiveRecord = z.infer<typeof archiveRecordSchema>;
export type ArchiveEnd = z.infer<typeof archiveEndSchema>;
