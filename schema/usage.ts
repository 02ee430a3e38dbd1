import { z } from 'zod';
import { budgetSchema, decimalSchema, usageFieldsSchema, usageSchema } from './budget.ts';

const tokens = z.int();

/** One model call and what it was charged. */
export const chargedStepSchema = z.strictObject({
  turn: z.int(),
  /** Only of kind `turn` these count the steps of a turn. */
  step: z.int(),
  /** `review`: a question of the gate to its reviewer; `compaction`: notes in place of messages. */
  kind: z.enum(['turn', 'review', 'compaction']),
  attempt: z.int(),
  state: z.enum(['sent', 'committed', 'lost', 'failed']),
  model: z.string(),
  inputTokens: tokens,
  cachedInputTokens: tokens,
  outputTokens: tokens,
  costUsd: decimalSchema,
  /** Charged by estimate, because the provider didn't tell all of it. */
  isEstimated: z.boolean(),
  /** Which prices it was charged by; null where the model has none. */
  pricesVersion: z.string().nullable(),
  /** The call's problem; absent = none. */
  trouble: z.string().optional(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
});

/** Added up from the rows of the model calls: tokens and cost equal the goal's own at any time. */
export const stepSumsSchema = z.strictObject({
  /** Also those that were refused before anything was generated, and cost nothing. */
  calls: z.int(),
  inputTokens: tokens,
  cachedInputTokens: tokens,
  outputTokens: tokens,
  tokens,
  costUsd: decimalSchema,
  /** The part that is estimated. */
  estimated: z.strictObject({ calls: z.int(), tokens, costUsd: decimalSchema }),
});

export const usageReportSchema = z.strictObject({
  usage: usageSchema,
  /** Share of input tokens that came from the provider's cache: 0 to 1, 0 before any. */
  cachedShare: z.number(),
  budget: budgetSchema,
  /** Part of the budget reserved for running delegates. */
  setAside: usageFieldsSchema,
  /** Sums when each turn settled. */
  series: z.array(z.strictObject({ turn: z.int(), usage: usageFieldsSchema, at: z.string() })),
  stepSums: stepSumsSchema,
  steps: z.array(chargedStepSchema),
  nextCursor: z.string().nullable(),
});

export type ChargedStep = z.infer<typeof chargedStepSchema>;
export type StepSums = z.infer<typeof stepSumsSchema>;
