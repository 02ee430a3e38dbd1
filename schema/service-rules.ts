import { z } from 'zod';
import { budgetInputSchema } from './budget.ts';
import { continuationInputSchema, type PolicyInput, policyInputSchema } from './policy.ts';
import { spendLimitsSchema } from './spend.ts';
import { wordSchema } from './text.ts';

const boundSchema = z.strictObject({ min: z.number().optional(), max: z.number().optional() });

/** Every number of a policy, by its name; `felt` is the share that it holds. */
const numbers = [
  ...Object.keys(continuationInputSchema.shape).filter((name) => name !== 'enabled'),
  ...(['approvalTimeoutSeconds', 'questionTimeoutSeconds', 'felt'] satisfies (keyof PolicyInput)[]),
];

const { tokens, costUsd, turns, activeSeconds } = budgetInputSchema.shape;

/** What somebody says, word for word and in any case. */
const phrases = z.array(wordSchema(120)).max(200).optional();

const days = z.int().min(1).max(36_500).optional();

const thresholdsSchema = z.strictObject({
  continueAt: z.int().min(1).max(100).optional(),
  warnAt: z.int().min(1).max(100).optional(),
});

/** Rules of an operator for all goals of a service; what is absent is as the service comes. */
export const serviceRulesSchema = z.strictObject({
  budget: z
    .strictObject({
      /** For goals that name no limit of that kind. */
      default: budgetInputSchema.omit({ deadline: true }).optional(),
      maximum: z.strictObject({ tokens, costUsd, turns, activeSeconds }).optional(),
    })
    .optional(),
  policy: z
    .strictObject({
      default: policyInputSchema.omit({ tools: true }).optional(),
      /** The least and the most that a goal may say, by the name of the number. */
      bounds: z
        .strictObject(Object.fromEntries(numbers.map((name) => [name, boundSchema.optional()])))
        .optional(),
    })
    .optional(),
  /** What goals may spend together in a day, week or month. */
  spend: spendLimitsSchema.optional(),
  /** Of the continuation score, by model; `*` stands for any characters, the first one counts. */
  thresholds: z.record(wordSchema(200), thresholdsSchema).optional(),
  /** Beside the built-in ones. */
  phrases: z.strictObject({ intent: phrases, completion: phrases }).optional(),
  /** Days for which rows are kept that prove nothing; absent = for good. */
  retention: z
    .strictObject({
      /** What settled deliveries of triggers were; what a repeat is known by stays. */
      deliveries: days,
      /** Events of goals that ended. */
      events: days,
      /** Whole goals that are over, each once its archive is written. */
      goals: z
        .strictObject({
          complete: days,
          cleared: days,
          /** Folder of the machine that the API runs on. */
          archive: wordSchema(4000).refine((path) => path.startsWith('/'), 'give an absolute path'),
        })
        .refine(({ complete, cleared }) => complete !== undefined || cleared !== undefined, {
          message: 'give complete, cleared or both',
          path: ['complete'],
        })
        .optional(),
    })
    .optional(),
  /** Tools that a model may choose to use; `false` = they are offered to no goal. */
  tools: z
    .strictObject({
      continue_work: z.boolean().optional(),
      wait_for: z.boolean().optional(),
      delegate: z.boolean().optional(),
      textTokens: z.boolean().optional(),
    })
    .optional(),
});

export type ServiceRulesInput = z.infer<typeof serviceRulesSchema>;
