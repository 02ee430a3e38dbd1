import { z } from 'zod';
import { decimalSchema, usageFieldsSchema } from './budget.ts';
import { goalStatusSchema, modeSchema } from './goal.ts';

/**
 * How a delegate's result is delivered. `normal`: wakes the goal. `silent`: waits for its next
 * turn. `silent_wake`: wakes it without a message for people. `post_compaction`: the delegate
 * begins only after the next compaction of the conversation.
 */
export const delegateReturnSchema = z.enum(['normal', 'silent', 'silent_wake', 'post_compaction']);

export const delegateStateSchema = z.enum([
  /** Asked for in a turn that has not settled. */
  'staged',
  /** Granted, to begin at `startsAt`. */
  'delayed',
  /** Granted, to begin after a compaction. */
  'held',
  'running',
  'ended',
  /** A bound forbade it. */
  'refused',
  /** Its turn failed, or its goal stopped before it began. */
  'dropped',
]);

/** The delegate's share of the goal's budget while it runs; null = no such limit. */
export const delegateShareSchema = z.strictObject({
  tokens: z.int().nullable(),
  costUsd: decimalSchema.nullable(),
  turns: z.int().nullable(),
  activeSeconds: z.int().nullable(),
});

export const delegateLimitSchema = z.enum([
  'delegatesRunning',
  'delegateDepth',
  'chainLength',
  'chainTokens',
  'budget',
  'cycle',
]);

/** Only `finding` carries a result; every other outcome says why there is none. */
export const delegateOutcomeSchema = z.union([
  z.strictObject({
    kind: z.enum(['finding', 'failed', 'limited', 'stopped', 'lost', 'dropped']),
    reason: z.string(),
  }),
  z.strictObject({
    kind: z.literal('refused'),
    reason: z.string(),
    limit: delegateLimitSchema,
    value: z.int(),
    allowed: z.int(),
  }),
]);

export const delegateSchema = z.strictObject({
  delegateId: z.string(),
  /** The goal that asked for it. */
  parentGoalId: z.string(),
  /** 1 = asked for by the goal itself, 2 = by one of its delegates. */
  depth: z.int(),
  callId: z.string(),
  turn: z.int(),
  task: z.string(),
  files: z.array(z.string()),
  mode: modeSchema,
  return: delegateReturnSchema,
  state: delegateStateSchema,
  hop: z.int().optional(),
  startsAt: z.string().optional(),
  startedAt: z.string().optional(),
  endedAt: z.string().optional(),
  /** The goal that does the work. */
  goalId: z.string().optional(),
  status: goalStatusSchema.optional(),
  share: delegateShareSchema.optional(),
  /** With its own delegates. */
  usage: usageFieldsSchema.optional(),
  outcome: delegateOutcomeSchema.optional(),
});

/** In the order of the tree: every delegate is followed by its own. */
export const delegateListSchema = z.strictObject({ items: z.array(delegateSchema) });

export type DelegateReturn = z.infer<typeof delegateReturnSchema>;
export type DelegateState = z.infer<typeof delegateStateSchema>;
export type DelegateShare = z.infer<typeof delegateShareSchema>;
export type DelegateLimit = z.infer<typeof delegateLimitSchema>;
export type DelegateOutcome = z.infer<typeof delegateOutcomeSchema>;
export type Delegate = z.infer<typeof delegateSchema>;
