import { z } from 'zod';

/** A person's order to end one running command; its call settles as ended by that person. */
export const callStopSchema = z.strictObject({
  goalId: z.string(),
  callId: z.string(),
  askedBy: z.string(),
  askedAt: z.string(),
});

export type CallStop = z.infer<typeof callStopSchema>;
