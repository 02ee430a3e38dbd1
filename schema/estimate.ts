import { z } from 'zod';
import { budgetSchema, decimalSchema, limitNameSchema } from './budget.ts';
import { criterionSchema } from './criteria.ts';
import { modeSchema, workspaceInputSchema } from './goal.ts';
import { isolationSchema } from './isolation.ts';
import { policySchema } from './policy.ts';
import { scopeLookSchema } from './scope.ts';

/** Dollars for a million tokens. */
const rates = z.strictObject({
  input: decimalSchema,
  cached: decimalSchema,
  output: decimalSchema,
});

/** Distribution of what a turn of earlier goals used: median and 90th percentile. */
const spread = z.strictObject({ p50: z.number(), p90: z.number() });

export const pastSchema = z.strictObject({
  /** The goals that the estimate rests on; `none`: no goal with this model has settled a turn. */
  scope: z.enum(['workspace_and_model', 'model', 'none']),
  goals: z.int(),
  /** Number of these goals that completed; their turn counts give the length of such work. */
  completed: z.int(),
  turns: spread.nullable(),
  costUsd: spread.nullable(),
  tokensPerTurn: spread.nullable(),
  costPerTurn: spread.nullable(),
  secondsPerTurn: spread.nullable(),
});

/** Limits that a start with this body would enforce, and its likely cost; nothing is started. */
export const estimateSchema = z.strictObject({
  workspace: z.strictObject({ name: z.string(), isKnown: z.boolean() }),
  model: z.string(),
  fallbackModel: z.string().nullable(),
  mode: modeSchema,
  budget: budgetSchema,
  policy: policySchema,
  criteria: z.array(criterionSchema),
  /** No criteria were given: the project's own checks would be looked for. */
  detectsCriteria: z.boolean(),
  /** Which files would count as the work, and what that means for the level that can be reached. */
  scope: scopeLookSchema,
  /** Null where the model has no known price. */
  prices: rates.nullable(),
  /** The first call with its wrap-up: a budget below it is refused. */
  firstCall: z.strictObject({ tokens: z.int(), costUsd: decimalSchema.nullable() }),
  past: pastSchema,
  /** Turns that the budget buys at the past usage per turn; null when nothing is known. */
  buys: z.strictObject({ turns: z.int(), first: limitNameSchema }).nullable(),
});

export const tryCheckSchema = z.strictObject({
  workspace: workspaceInputSchema,
  criterion: criterionSchema,
  policy: z.strictObject({ sandbox: policySchema.shape.sandbox }).optional(),
});

/** One criterion as it stands now, looked at as a goal's baseline would. */
export const checkResultSchema = z.strictObject({
  /** `met`: it would be a guard, which proves nothing by itself. */
  state: z.enum(['met', 'unmet', 'not_run']),
  reason: z.string(),
  exitCode: z.int().nullable(),
  /** The end of what it printed. */
  output: z.string(),
  isCut: z.boolean(),
  durationMs: z.int(),
  isolation: isolationSchema.nullable(),
});

export type Past = z.infer<typeof pastSchema>;
export type Estimate = z.infer<typeof estimateSchema>;
export type TryCheck = z.infer<typeof tryCheckSchema>;
export type CheckResult = z.infer<typeof checkResultSchema>;
