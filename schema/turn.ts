import { z } from 'zod';
import { decimalSchema, usageFieldsSchema } from './budget.ts';
import { effectSchema, outcomeSchema, receiptSchema } from './ledger.ts';
import { ruleNameSchema } from './rule-name.ts';

const turnState = z.enum(['open', 'settled']);

export const scoreSchema = z.object({
  total: z.int(),
  finishReason: z.int(),
  toolResult: z.int(),
  intent: z.int(),
  noSummary: z.int(),
  ratio: z.int(),
});

/** Why a settled turn led where it led. */
export const decisionSchema = z.object({
  /** Place of the rule that decided in the order of judgement; some rules share one. */
  rule: z.int(),
  /** Null for an older record whose number several rules share. */
  ruleName: ruleNameSchema.nullable(),
  action: z.string(),
  /** "Why", in one sentence. */
  sentence: z.string(),
  missing: z.array(z.string()),
  /** Missing id → what is wrong and which call would satisfy it. */
  reasons: z.record(z.string(), z.string()),
  /** The score lay between "go on" and "stop". */
  isWarning: z.boolean(),
  score: scoreSchema.nullable(),
  /** Sums when the turn settled. */
  usage: usageFieldsSchema,
  ledgerSeq: z.int(),
  ledgerHead: z.string(),
  at: z.string(),
});

/** That a turn compacted the conversation, and by how much its next request became smaller. */
export const turnCompactionSchema = z.object({
  number: z.int(),
  /** The step of the turn that was asked for next. */
  step: z.int(),
  reason: z.enum(['window', 'overflow', 'continued']),
  /** Null where shortening old results was enough. */
  notesBy: z.enum(['model', 'host']).nullable(),
  model: z.string(),
  tokensBefore: z.int(),
  tokensAfter: z.int(),
  at: z.string(),
});

export const turnSchema = z.object({
  turn: z.int(),
  kind: z.string(),
  state: turnState,
  startedAt: z.string(),
  settledAt: z.string().nullable(),
  decision: decisionSchema.nullable(),
  /** In their order; nearly always none. */
  compactions: z.array(turnCompactionSchema),
  messages: z.array(
    z.object({
      seq: z.int(),
      /** Of what was sent to the goal; absent = it was said within the turn, or by an older version. */
      messageId: z.string().optional(),
      voice: z.string(),
      text: z.string(),
      calls: z.array(z.object({ callId: z.string(), tool: z.string(), input: z.string() })),
    }),
  ),
});

/** A turn without its texts: thousands of them make one picture. */
export const turnOutlineSchema = z.object({
  turn: z.int(),
  kind: z.string(),
  state: turnState,
  startedAt: z.string(),
  settledAt: z.string().nullable(),
  rule: z.int().nullable(),
  action: z.string().nullable(),
  /** The ids that a refused claim lacked. */
  missing: z.array(z.string()),
  /** Sums of the goal when it settled, without its delegates. */
  tokens: z.int().nullable(),
  costUsd: decimalSchema.nullable(),
});

/** A call from its beginning to its end: both rows of the ledger in one. */
export const callSchema = z.object({
  callId: z.string(),
  turn: z.int(),
  step: z.int(),
  tool: z.string(),
  effect: effectSchema,
  arguments: z.unknown(),
  /** Absent while it runs, or where it never began. */
  startedSeq: z.int().nullable(),
  settledSeq: z.int().nullable(),
  startedAt: z.string().nullable(),
  settledAt: z.string().nullable(),
  outcome: outcomeSchema.nullable(),
  receipt: receiptSchema.nullable(),
  /** Its whole output can be read by the settled row. */
  hasOutput: z.boolean(),
  hash: z.string(),
  previous: z.string(),
});

export const freshnessSchema = z.object({
  lastWrite: z.object({ seq: z.int(), at: z.string(), paths: z.array(z.string()) }).nullable(),
  receipts: z.array(z.object({ seq: z.int(), at: z.string(), outcome: outcomeSchema.nullable() })),
});

export type Freshness = z.infer<typeof freshnessSchema>;
export type Turn = z.infer<typeof turnSchema>;
export type TurnCompaction = z.infer<typeof turnCompactionSchema>;
export type TurnOutline = z.infer<typeof turnOutlineSchema>;
export type Call = z.infer<typeof callSchema>;
