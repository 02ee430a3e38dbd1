import { z } from 'zod';
import { atMost, wordSchema } from './text.ts';

/** Names the session of an agent, as the agent itself does. */
const sessionId = wordSchema(200);

/** Words of a session: unlike a person's message they may be empty. */
const words = (most: number) => z.string().check(atMost(most));

/** `POST /v1/goals/{goalId}/turn-end` */
export const endTurnSchema = z.strictObject({
  sessionId,
  /** The turn that ends; another one by now is a conflict. */
  turn: z.int().min(1),
  /** Its last words. */
  text: words(100_000),
  expectedRevision: z.int().min(1).optional(),
});

/** `POST /v1/goals/{goalId}/prompts` */
export const promptSchema = z.strictObject({
  sessionId,
  text: words(20_000),
  expectedRevision: z.int().min(1).optional(),
});

/** `POST /v1/goals/{goalId}/agent-calls` */
export const reportCallSchema = z.strictObject({
  sessionId,
  /** The agent's own id of the call. */
  callId: wordSchema(200),
  title: words(300),
  kind: z.enum(['read', 'edit', 'execute', 'search', 'fetch', 'other']),
  input: words(4000).nullable(),
  paths: z.array(wordSchema(4096)).max(50),
  output: words(16_000),
  isError: z.boolean(),
});

export type ReportCall = z.infer<typeof reportCallSchema>;
