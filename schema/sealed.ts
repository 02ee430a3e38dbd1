import { z } from 'zod';
import { commandCriterionSchema, reviewCriterionSchema, sealedHintSchema } from './criteria.ts';
import { inFormat, textSchema } from './text.ts';

/** Bytes of an archive as it is sent; base64 adds a third. */
export const MOST_ARCHIVE_BYTES = 8 * 1024 * 1024;

const line = (most: number) =>
  textSchema(most).check(
    inFormat('one-line', (text) =>
      /\p{Cc}/u.test(text) ? 'one line without control characters' : null,
    ),
  );

/** All that the model ever sees of it, beside met or unmet. */
const told = {
  sealed: z.literal(true),
  name: line(80),
  description: line(300),
};

const { kind, command, cwd, setup, expectExit, timeoutSeconds } = commandCriterionSchema.shape;

const sealedCommandSchema = z.strictObject({
  ...told,
  ...{ kind, command, cwd, setup, expectExit, timeoutSeconds },
  /** What the model learns when it is unmet: nothing, the name of a failed test, or its message. */
  hint: sealedHintSchema.default('none'),
});

const sealedReviewSchema = z.strictObject({
  ...told,
  kind: reviewCriterionSchema.shape.kind,
  rubric: reviewCriterionSchema.shape.rubric,
  model: reviewCriterionSchema.shape.model,
  hint: z.literal('none').default('none'),
});

/** `POST /v1/sealed`. */
export const sealInputSchema = z.strictObject({
  criterion: z.discriminatedUnion('kind', [sealedCommandSchema, sealedReviewSchema]),
  /** tar, tar.gz or zip with the files, paths relative to the workspace. */
  archive: z
    .base64()
    .max(Math.ceil(MOST_ARCHIVE_BYTES / 3) * 4)
    .optional(),
});

const sealedFileSchema = z.strictObject({
  path: z.string(),
  bytes: z.int(),
  sha256: z.string(),
});

/** What was sealed, for people. */
export const sealedSchema = z.strictObject({
  sealedId: z.string(),
  name: z.string(),
  description: z.string(),
  hint: sealedHintSchema,
  /** Null where the content is erased or can't be opened; `problem` says why. */
  criterion: z.discriminatedUnion('kind', [sealedCommandSchema, sealedReviewSchema]).nullable(),
  files: z.array(sealedFileSchema),
  problem: z.string().optional(),
  /** SHA-256 of all of it, criterion and files. */
  sha256: z.string(),
  keyId: z.string(),
  createdBy: z.string(),
  createdAt: z.string(),
});

/** How a sealed criterion was judged once, with what its runs printed. For people only. */
export const sealedRunSchema = z.strictObject({
  origin: z.enum(['baseline', 'gate']),
  turn: z.int(),
  state: z.enum(['met', 'unmet', 'not_run']),
  /** The ledger row of it, which says only whether it is met. */
  receipt: z.int(),
  reason: z.string(),
  /** What the model was told beside `unmet`. */
  hint: z.string().optional(),
  runs: z.array(z.strictObject({ name: z.string(), reason: z.string(), output: z.string() })),
  at: z.string(),
});

/** `GET /v1/goals/{goalId}/sealed`. */
export const sealedOfGoalSchema = z.strictObject({
  items: z.array(
    z.strictObject({
      criterionId: z.string(),
      sealed: sealedSchema,
      /** Trees of the goal that it judged, and how many it judges at most. */
      judged: z.int(),
      mostJudged: z.int(),
      /** Oldest first. */
      runs: z.array(sealedRunSchema),
    }),
  ),
});

export type SealInput = z.infer<typeof sealInputSchema>;
export type SealedCheck = SealInput['criterion'];
export type Sealed = z.infer<typeof sealedSchema>;
export type SealedRun = z.infer<typeof sealedRunSchema>;
export type SealedOfGoal = z.infer<typeof sealedOfGoalSchema>;
