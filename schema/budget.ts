import { z } from 'zod';
import { momentSchema } from './moment.ts';

/** US dollars as an exact decimal string, so that sub-cent turns add up. */
export const decimalSchema = z.string().regex(/^\d{1,9}(\.\d{1,12})?$/, 'a decimal such as "2.50"');

export const paidSchema = z
  .string()
  .regex(/^(?=.*[1-9])\d{1,9}(\.\d{1,12})?$/, 'a decimal above 0 such as "2.50"');

const amount = (maximum: number) => z.int().min(1).max(maximum);

/**
 * A caller's limits. Absent = the service's default; null = no limit of that kind
 * (at least one limit of the defaults always remains).
 */
export const budgetInputSchema = z.strictObject({
  tokens: amount(1_000_000_000).nullable().optional(),
  costUsd: paidSchema.nullable().optional(),
  turns: amount(100_000).nullable().optional(),
  activeSeconds: amount(31_536_000).nullable().optional(),
  deadline: momentSchema.nullable().optional(),
});

export const budgetSchema = z.strictObject({
  /** input − cached + output */
  tokens: z.int().nullable(),
  costUsd: decimalSchema.nullable(),
  turns: z.int().nullable(),
  /** Time in turns; waiting and paused time do not count. */
  activeSeconds: z.int().nullable(),
  deadline: z.string().nullable(),
});

export const limitNameSchema = z.enum(['tokens', 'costUsd', 'turns', 'activeSeconds', 'deadline']);

export const usageFieldsSchema = z.strictObject({
  inputTokens: z.int(),
  cachedInputTokens: z.int(),
  outputTokens: z.int(),
  tokens: z.int(),
  costUsd: decimalSchema,
  turns: z.int(),
  steps: z.int(),
  activeSeconds: z.number(),
});

/** Usage including delegates; `own` is without them. */
export const usageSchema = usageFieldsSchema.extend({ own: usageFieldsSchema });

export type BudgetInput = z.infer<typeof budgetInputSchema>;
export type Budget = z.infer<typeof budgetSchema>;
export type LimitName = z.infer<typeof limitNameSchema>;
export type UsageFields = z.infer<typeof usageFieldsSchema>;
