import { z } from 'zod';
import { baselineStateSchema, criterionSchema, criterionStateSchema } from './criteria.ts';
import { goalProofSchema } from './goal-proof.ts';
import { isolationSchema } from './isolation.ts';
import { proofChangeSchema } from './proof-change.ts';
import { scopeSchema } from './scope.ts';

/**
 * How a check ended. `proven`: a criterion failed before and holds by the work alone; `held`: all
 * criteria held before and still do, so that nothing is proven and nothing lost; `needs_person`: a
 * question is open that no program may answer; `refused`: a criterion does not hold.
 */
export const checkStatusSchema = z.enum(['proven', 'held', 'needs_person', 'refused']);

const checkedCriterionSchema = z.strictObject({
  criterionId: z.string(),
  spec: criterionSchema,
  /** On the base, or on the base with what a person accepted. */
  baseline: baselineStateSchema,
  state: criterionStateSchema,
  reason: z.string(),
});

/** What only a person can answer, and the flag that does. */
const openQuestionSchema = z.strictObject({
  /** A change, or the id of a criterion. */
  name: z.string(),
  kind: z.enum([...proofChangeSchema.shape.kind.options, 'criterion']),
  why: z.string(),
  /** Empty where there is no text to show. */
  diff: z.string(),
  accept: z.string().describe('What --accept takes'),
});

/** What `goalkeeper check` found. */
export const checkResultSchema = z.strictObject({
  status: checkStatusSchema,
  exitCode: z.int(),
  /** In one sentence. */
  summary: z.string(),
  wayOut: z.string().nullable(),
  repository: z.string(),
  base: z.strictObject({ commit: z.string(), why: z.string() }),
  /** The commit that was judged; null = the work tree. */
  head: z.string().nullable(),
  /** The file of the base that said what to check; null = none did. */
  terms: z.string().nullable(),
  scope: scopeSchema,
  criteria: z.array(checkedCriterionSchema),
  questions: z.array(openQuestionSchema),
  /** What `--accept` accepted. */
  accepted: z.array(z.string()),
  /** Changes beyond the scope that the work did without. */
  beyondScope: z.array(z.string()),
  /** The weakest that a command ran with; null = none ran. */
  isolation: isolationSchema.nullable(),
  /** What a reader should know. */
  notices: z.array(z.string()),
  proof: goalProofSchema.nullable(),
  bundle: z
    .strictObject({
      file: z.string(),
      keyId: z.string(),
      /** The key was made for this run alone; its public half lies in this file. */
      ephemeralKey: z.string().nullable(),
    })
    .nullable(),
  runs: z.int(),
  durationMs: z.int(),
});

export type CheckStatus = z.infer<typeof checkStatusSchema>;
export type CheckResult = z.infer<typeof checkResultSchema>;
export type OpenQuestion = CheckResult['questions'][number];
