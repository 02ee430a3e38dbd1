import { z } from 'zod';

/** What a person or a program said to a goal, and what came of it. */
export const sentMessageSchema = z.strictObject({
  messageId: z.string(),
  text: z.string(),
  voice: z.enum(['person', 'agent']),
  /** Null = sent before the service kept the name. */
  sentBy: z.string().nullable(),
  sentAt: z.string(),
  delivery: z.enum(['pause', 'steer']),
  /** `waiting`: no model call has read it, and it can be taken back. */
  state: z.enum(['waiting', 'read', 'taken_back']),
  /** The turn that read it. */
  turn: z.int().nullable(),
  takenBackBy: z.string().nullable(),
  takenBackAt: z.string().nullable(),
  /** Names of the files that came with it. */
  files: z.array(z.string()),
});

export const messagesSchema = z.strictObject({ items: z.array(sentMessageSchema) });

export type SentMessage = z.infer<typeof sentMessageSchema>;
