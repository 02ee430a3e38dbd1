import { z } from 'zod';
import { decimalSchema, paidSchema } from './budget.ts';
import { timeZoneSchema } from './cadence.ts';
import { wordSchema } from './text.ts';

export const spendScopeSchema = z.enum(['service', 'workspace', 'principal']);

/** A week begins on Monday. */
export const spendPeriodSchema = z.enum(['day', 'week', 'month']);

/** Of the operator: what all goals of a scope may spend together in a period. */
export const spendLimitSchema = z
  .strictObject({
    of: spendScopeSchema.default('service'),
    /** Of the workspace or principal; absent = each one that no other limit of the period names. */
    name: wordSchema(120).optional(),
    per: spendPeriodSchema,
    /** IANA name: where its periods begin. */
    timeZone: timeZoneSchema.default('UTC'),
    costUsd: paidSchema.optional(),
    tokens: z.int().min(1).optional(),
  })
  .superRefine(({ of, name, costUsd, tokens }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (of === 'service' && name !== undefined) {
      refuse('name', 'the whole service has none: say "of: workspace" or "of: principal"');
    }
    if (costUsd === undefined && tokens === undefined) {
      refuse('costUsd', 'a limit names costUsd, tokens or both');
    }
  });

export const spendLimitsSchema = z
  .array(spendLimitSchema)
  .max(100)
  .superRefine((limits, context) => {
    const seen = new Set<string>();
    for (const [index, { of, name, per }] of limits.entries()) {
      const key = JSON.stringify([of, name ?? null, per]);
      if (seen.has(key)) {
        const message = `another limit is about the same ${of} and ${per}: write one of them`;
        context.addIssue({ code: 'custom', path: [index, 'of'], message });
      }
      seen.add(key);
    }
  });

/** How full a limit is for one of those that it is about, in the period that runs. */
export const spendStandingSchema = z.strictObject({
  of: spendScopeSchema,
  /** The workspace or principal; null = the whole service. */
  name: z.string().nullable(),
  per: spendPeriodSchema,
  timeZone: z.string(),
  /** The period: from its beginning until the next one's. */
  from: z.string(),
  to: z.string(),
  /** What calls that ended were charged. */
  costUsd: decimalSchema,
  tokens: z.int(),
  /** The most that calls under way may still be charged. */
  heldUsd: decimalSchema,
  heldTokens: z.int(),
  /** null = no limit of that kind. */
  mostUsd: decimalSchema.nullable(),
  mostTokens: z.int().nullable(),
  /** The part that is spent, of the fuller measure; 1 = nothing is left. */
  fill: z.number(),
});

export type SpendScope = z.infer<typeof spendScopeSchema>;
export type SpendPeriod = z.infer<typeof spendPeriodSchema>;
export type SpendStanding = z.infer<typeof spendStandingSchema>;
