import { z } from 'zod';
import { decimalSchema, usageFieldsSchema } from './budget.ts';
import { goalStatusSchema, modeSchema } from './goal.ts';

/**
 * How a result comes back. `normal`: wakes the goal. `silent`: lies ready for its next turn.
 * `silent_wake`: wakes it, and isn't shown to people as a message. `post_compaction`: begins only
 * after the next compaction of the conversation.
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

/** Set aside of the goal's budget while the delegate runs; null = there is no such limit. */
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

/** Only a `finding` is one; everything else says why there is none. */
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
