import { z } from 'zod';
import { approvalKindSchema } from './approval.ts';
import { goalSchema } from './goal.ts';

/**
 * What waits for a person: an approval, or what a goal that stands still asks. `question`: `ask_user`;
 * `dispute`: a disputed criterion; `budget`: a limit is reached; `pause`: whatever else stopped it.
 */
const inboxKindSchema = z.enum([
  ...approvalKindSchema.options,
  'question',
  'dispute',
  'budget',
  'pause',
]);

export const inboxItemSchema = z.strictObject({
  /** Of the approval, the question or the dispute; the goal's own for `budget` and `pause`. */
  itemId: z.string(),
  goalId: z.string(),
  kind: inboxKindSchema,
  /** False: the goal goes on meanwhile, or a person paused it and asks nothing. */
  holds: z.boolean(),
  /** What is asked, in one line. */
  title: z.string(),
  since: z.string(),
});

export const inboxSchema = z.strictObject({
  /** Those that hold a goal first, then the oldest first. */
  items: z.array(inboxItemSchema),
  /** Of all, also those beyond the limit. */
  total: z.int().min(0),
  /** The goals of these items. */
  goals: z.array(goalSchema),
});

export type InboxItem = z.infer<typeof inboxItemSchema>;
export type Inbox = z.infer<typeof inboxSchema>;
