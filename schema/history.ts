import { z } from 'zod';
import { budgetSchema, decimalSchema } from './budget.ts';
import { activitySchema, goalStatusSchema, pauseReasonSchema } from './goal.ts';
import { outcomeSchema } from './ledger.ts';
import { ruleNameSchema } from './rule-name.ts';
import { shownTodoItemSchema } from './todo.ts';
import { chargedStepSchema } from './usage.ts';

/** One of Temporal's events. */
export const historyEventSchema = z.object({
  /** Number of the run, and the event's own number in it. */
  run: z.int(),
  eventId: z.int(),
  type: z.string(),
  at: z.string(),
  /** Short description; may be empty. */
  about: z.string(),
});

/** A call of the ledger, in few words. */
export const historyCallSchema = z.object({
  /** Seq of the row that settled it, or of the row that began it while unsettled. */
  seq: z.int(),
  tool: z.string(),
  /** Null while it runs. */
  outcome: outcomeSchema.nullable(),
  at: z.string(),
  settledAt: z.string().nullable(),
});

/** A model call as the journal has it, with the calls that it asked for. */
export const historyStepSchema = z.object({
  ...chargedStepSchema.pick({ step: true, kind: true, attempt: true, state: true, model: true })
    .shape,
  /** Input without what came from a cache, and output. */
  tokens: z.int(),
  costUsd: decimalSchema,
  trouble: z.string().nullable(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  calls: z.array(historyCallSchema),
});

export const historyTurnSchema = z.object({
  /** 0 = what came before the first turn. */
  turn: z.int(),
  kind: z.string(),
  state: z.enum(['open', 'settled']),
  startedAt: z.string(),
  settledAt: z.string().nullable(),
  rule: z.int().nullable(),
  ruleName: ruleNameSchema.nullable(),
  action: z.string().nullable(),
  sentence: z.string().nullable(),
  /** Beginning of what the model said last. */
  said: z.string().nullable(),
  /** From the journal: kept for good. */
  steps: z.array(historyStepSchema),
  /** The host's own calls, such as checks at the gate. */
  calls: z.array(historyCallSchema),
  /** From Temporal, oldest first: as long as it keeps them. */
  events: z.array(historyEventSchema),
  /** True when only the newest events are included. */
  isCut: z.boolean(),
});

export const historyRunSchema = z.object({
  number: z.int(),
  epoch: z.int(),
  runId: z.string(),
  /** The turn that it went on with, or the next one to come. */
  firstTurn: z.int(),
  openedAt: z.string(),
  /** Does Temporal still have its events? Null where this answer didn't need to know. */
  isKept: z.boolean().nullable(),
  /** In Temporal's own pages, where their address is configured. */
  link: z.string().nullable(),
});

export const historySchema = z.object({
  /** Newest first. */
  items: z.array(historyTurnSchema),
  nextCursor: z.string().nullable(),
  /** Oldest first. */
  runs: z.array(historyRunSchema),
  /** `expired`: no turn here has events left; `away`: Temporal doesn't answer now. */
  temporal: z.enum(['kept', 'partly', 'expired', 'away']),
  /** Number of the record's newest event: the end of the axis of points. */
  newest: z.int(),
});

/** A goal's state at one moment, from the record. */
export const historyPointSchema = z.object({
  /** Seq of the event that this state follows. */
  seq: z.int(),
  newest: z.int(),
  at: z.string(),
  event: z.object({ type: z.string(), data: z.unknown() }),
  status: goalStatusSchema,
  revision: z.int(),
  activity: activitySchema,
  pauseReason: pauseReasonSchema.nullable(),
  /** 0 = none had begun. */
  turn: z.int(),
  isTurnOpen: z.boolean(),
  /** Decision of the last settled turn. */
  decision: z
    .object({
      turn: z.int(),
      rule: z.int(),
      ruleName: ruleNameSchema.nullable(),
      action: z.string(),
      sentence: z.string(),
      missing: z.array(z.string()),
    })
    .nullable(),
  budget: budgetSchema,
  /** With delegates as of the last settled turn. */
  usage: z.object({
    tokens: z.int(),
    costUsd: decimalSchema,
    turns: z.int(),
    activeSeconds: z.number(),
  }),
  ledgerSeq: z.int(),
  todos: z.object({ revision: z.int(), items: z.array(shownTodoItemSchema) }),
});

export type HistoryEvent = z.infer<typeof historyEventSchema>;
export type HistoryCall = z.infer<typeof historyCallSchema>;
export type HistoryStep = z.infer<typeof historyStepSchema>;
export type HistoryTurn = z.infer<typeof historyTurnSchema>;
export type HistoryRun = z.infer<typeof historyRunSchema>;
export type History = z.infer<typeof historySchema>;
export type HistoryPoint = z.infer<typeof historyPointSchema>;
