import { z } from 'zod';
import { inForms, oneOfFields } from './forms.ts';
import { atMost, inFormat, textSchema, wordSchema } from './text.ts';

const name = wordSchema(80).describe('Shown instead of the generated id').optional();

function expressionProblem(source: string): string | null {
  try {
    new RegExp(source, 'm');
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Seconds a check may run before it counts as unmet. */
const timeoutSeconds = z.int().min(1).max(3600).optional();

export const commandCriterionSchema = z.strictObject({
  kind: z.literal('command'),
  name,
  command: textSchema(1000),
  cwd: wordSchema(500).describe('Relative to the workspace').optional(),
  check: z.enum(['rerun', 'clean', 'receipt']).optional(),
  setup: wordSchema(1000).optional(),
  expectExit: z.int().min(0).max(255).optional(),
  attempts: z.int().min(1).max(10).optional(),
  timeoutSeconds,
  scope: z.array(wordSchema(300)).max(50).optional(),
});

export const fileCriterionSchema = inForms(
  z.strictObject({
    kind: z.literal('file'),
    name,
    path: wordSchema(500),
    exists: z.boolean().optional(),
    /** What has to exist; a regular file unless told. */
    type: z.enum(['file', 'folder']).optional(),
    matches: wordSchema(500).check(inFormat('regular-expression', expressionProblem)).optional(),
    protect: z.literal(true).optional(),
  }),
  oneOfFields(['exists', 'matches', 'protect']),
  { message: 'give exactly one of exists, matches, protect' },
);

const fileInForms = inForms(
  fileCriterionSchema,
  [{ lacks: ['type'] }, { has: ['exists'], where: { exists: z.literal(true) } }],
  { path: ['type'], message: 'give it with exists: true, whose kind of file it says' },
);

export const gitCriterionSchema = z.strictObject({
  kind: z.literal('git'),
  name,
  branch: wordSchema(200).optional(),
  allowedPaths: z.array(wordSchema(300)).max(100).optional(),
  clean: z.boolean().optional(),
});

export const diagnosticsCriterionSchema = z.strictObject({
  kind: z.literal('diagnostics'),
  name,
  paths: z.array(wordSchema(300)).max(100).optional(),
  /** Errors that were there at the start don't count; absent = none may be there. */
  onlyNew: z.literal(true).describe('Errors of the start do not count').optional(),
});

export const reviewCriterionSchema = z.strictObject({
  kind: z.literal('review'),
  name,
  rubric: wordSchema(4000),
  model: z.string().min(3).check(atMost(200)).optional(),
});

export const approvalCriterionSchema = z.strictObject({
  kind: z.literal('approval'),
  name,
  question: wordSchema(1000),
});

export const sealedIdSchema = z.string().regex(/^sl-[0-9a-f]{16}$/, 'sl- and 16 hex digits');
export const sealedHintSchema = z.enum(['none', 'name', 'message']);

/**
 * A criterion whose check only the host and people know. A caller names its id; what the model may
 * know of it is filled in by the host.
 */
export const sealedCriterionSchema = z.strictObject({
  kind: z.literal('sealed'),
  name,
  sealedId: sealedIdSchema.describe('As POST /v1/sealed answered'),
  checks: z.enum(['command', 'review']).optional(),
  description: z.string().check(atMost(300)).optional(),
  hint: sealedHintSchema.optional(),
});

/** Which options belong to which way of checking; absent, it is run again. */
const commandInForms = inForms(
  inForms(
    inForms(
      commandCriterionSchema,
      [{ lacks: ['setup'] }, { has: ['check'], where: { check: z.literal('clean') } }],
      { path: ['setup'], message: 'it has a meaning for check "clean" alone' },
    ),
    [{ lacks: ['scope'] }, { has: ['check'], where: { check: z.literal('receipt') } }],
    { path: ['scope'], message: 'it has a meaning for check "receipt" alone' },
  ),
  [{ lacks: ['attempts'] }, { where: { check: z.enum(['rerun', 'clean']) } }],
  { path: ['attempts'], message: 'it has no meaning for check "receipt"' },
);

/** `todos` is not in this list: it is always on once a todo list exists. */
export const criterionSchema = z.discriminatedUnion('kind', [
  commandInForms,
  fileInForms,
  gitCriterionSchema,
  diagnosticsCriterionSchema,
  reviewCriterionSchema,
  approvalCriterionSchema,
  sealedCriterionSchema,
]);

export type CommandCriterion = z.infer<typeof commandCriterionSchema>;
export type DiagnosticsCriterion = z.infer<typeof diagnosticsCriterionSchema>;
export type SealedCriterion = z.infer<typeof sealedCriterionSchema>;
export type SealedHint = z.infer<typeof sealedHintSchema>;
export type Criterion = z.infer<typeof criterionSchema>;

export const criterionStateSchema = z.enum(['unmet', 'met', 'stale', 'narrowed']);
export const baselineStateSchema = z.enum(['met', 'unmet', 'not_run']);

export type CriterionState = z.infer<typeof criterionStateSchema>;
export type BaselineState = z.infer<typeof baselineStateSchema>;

/** A criterion as the record keeps it and answers show it. */
export const trackedCriterionSchema = z.strictObject({
  criterionId: z.string(),
  spec: criterionSchema,
  state: criterionStateSchema,
  baseline: baselineStateSchema,
  origin: z.enum(['caller', 'detected', 'proposed']),
  /** Why it is in this state, for people: "exited 1", "not run yet". */
  reason: z.string().optional(),
  /** Ledger seqs of the settled rows that speak for the state. */
  receipts: z.array(z.int()),
});

export type TrackedCriterion = z.infer<typeof trackedCriterionSchema>;
