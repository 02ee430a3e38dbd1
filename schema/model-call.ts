import { z } from 'zod';
import { chargedStepSchema } from './usage.ts';

/** One call of a model by a turn: what was charged for it, and how it ended. */
export const modelCallSchema = z.strictObject({
  ...chargedStepSchema.shape,
  /** Input tokens as the service counted them before it asked; 0 where an agent asks. */
  estimatedInput: z.int(),
  finishReason: z.string().nullable(),
  /**
   * From the request to the first token of the answer, thinking included, milliseconds; null where
   * none came, an agent asks, or an earlier version made the call.
   */
  firstTokenMs: z.int().nullable(),
  /** False for what earlier versions and foreign agents asked, and for sealed reviews. */
  hasRequest: z.boolean(),
});

const partSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('reasoning'), text: z.string() }),
  z.strictObject({ type: z.literal('call'), id: z.string(), tool: z.string(), input: z.unknown() }),
  z.strictObject({
    type: z.literal('result'),
    id: z.string(),
    tool: z.string(),
    isError: z.boolean(),
    text: z.string(),
  }),
]);

/**
 * A request as the record rebuilds it, in the form that all providers are sent. Three things are not
 * as they were sent: the mark of the goal's host is `…`, files are named without their contents,
 * and fields that only steer a provider's cache are left out.
 */
export const modelRequestSchema = z.strictObject({
  system: z.string(),
  tools: z.array(
    z.strictObject({ name: z.string(), description: z.string(), parameters: z.unknown() }),
  ),
  messages: z.array(
    z.strictObject({
      role: z.enum(['user', 'assistant', 'tool']),
      /** `own`: made for this request alone, such as the goal as it stood. */
      of: z.enum(['conversation', 'own']),
      parts: z.array(partSchema),
    }),
  ),
  /** Number of the compaction by which older messages are shown; null = they are shown whole. */
  compaction: z.int().nullable(),
});

export const modelAnswerSchema = z.strictObject({
  text: z.string(),
  /** What the provider tells of the model's thinking. */
  reasoning: z.string(),
  calls: z.array(z.strictObject({ callId: z.string(), tool: z.string(), input: z.string() })),
});

export const askedModelCallSchema = z.strictObject({
  call: modelCallSchema,
  /** Null where `hasRequest` is false. */
  request: modelRequestSchema.nullable(),
  /** Null while it runs, after a failure, and for a review, whose judgement stands at its criterion. */
  answer: modelAnswerSchema.nullable(),
});

export type ModelCall = z.infer<typeof modelCallSchema>;
export type ModelRequest = z.infer<typeof modelRequestSchema>;
export type RequestMessage = ModelRequest['messages'][number];
