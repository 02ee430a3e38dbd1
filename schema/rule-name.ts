import { z } from 'zod';

/** The rules by which a settled turn is judged, in their order. */
export const ruleNameSchema = z.enum([
  'interrupted',
  'broken_turn',
  'ask',
  'claim',
  'finding',
  'yield',
  'message_answered',
  'wrap_up',
  'limit',
  'delegates',
  'wake_request',
  'waiting_words',
  'content_refused',
  'truncated',
  'no_progress',
  'nudge',
]);

export type RuleName = z.infer<typeof ruleNameSchema>;
