import { z } from 'zod';

const name = z.string().min(1).max(80).describe('Shown instead of the generated id').optional();

/** Seconds a check may run before it counts as unmet. */
const timeoutSeconds = z.int().min(1).max(3600).optional();

export const commandCriterionSchema = z.strictObject({
  kind: z.literal('command'),
  name,
  command: z.string().trim().min(1).max(1000),
  cwd: z.string().min(1).max(500).describe('Relative to the workspace').optional(),
  check: z.enum(['rerun', 'clean', 'receipt']).optional(),
  setup: z.string().min(1).max(1000).optional(),
  expectExit: z.int().min(0).max(255).optional(),
  attempts: z.int().min(1).max(10).optional(),
  timeoutSeconds,
  scope: z.array(z.string().min(1).max(300)).max(50).optional(),
});

export const fileCriterionSchema = z
  .strictObject({
    kind: z.literal('file'),
    name,
    path: z.string().min(1).max(500),
    exists: z.boolean().optional(),
    /** What has to exist; a regular file unless told. */
    type: z.enum(['file', 'folder']).optional(),
    matches: z.string().min(1).max(500).optional(),
    protect: z.literal(true).optional(),
  })
  .refine(
    (c) => [c.exists, c.matches, c.protect].filter((v) => v !== undefined).length === 1,
    'give exactly one of exists, matches, protect',
  )
  .refine((c) => c.type === undefined || c.exists === true, {
    path: ['type'],
    error: 'give it with exists: true, whose kind of file it says',
  });

export const gitCriterionSchema = z.strictObject({
  kind: z.literal('git'),
  name,
  branch: z.string().min(1).max(200).optional(),
  allowedPaths: z.array(z.string().min(1).max(300)).max(100).optional(),
  clean: z.boolean().optional(),
});

export const diagnosticsCriterionSchema = z.strictObject({
  kind: z.literal('diagnostics'),
  name,
  paths: z.array(z.string().min(1).max(300)).max(100).optional(),
});

export const reviewCriterionSchema = z.strictObject({
  kind: z.literal('review'),
  name,
  rubric: z.string().min(1).max(4000),
  model: z.string().min(3).max(200).optional(),
});

export const approvalCriterionSchema = z.strictObject({
  kind: z.literal('approval'),
  name,
  question: z.string().min(1).max(1000),
});

/** `todos` is not in this list: it is always on once a todo list exists. */
export const criterionSchema = z.discriminatedUnion('kind', [
  commandCriterionSchema,
  fileCriterionSchema,
  gitCriterionSchema,
  diagnosticsCriterionSchema,
  reviewCriterionSchema,
  approvalCriterionSchema,
]);

export type CommandCriterion = z.infer<typeof commandCriterionSchema>;
export type DiagnosticsCriterion = z.infer<typeof diagnosticsCriterionSchema>;
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
