import { z } from 'zod';
import { goalSchema } from './goal.ts';

/** `GET /v1/search`: what was found of one goal, the newest of each kind. */
export const foundSchema = z.strictObject({
  goal: goalSchema,
  /** Turns whose words hold it, with what stands around them. */
  turns: z.array(z.strictObject({ turn: z.int(), text: z.string() })),
  /** Calls that asked, did or printed it, by the number of their row in the ledger. */
  calls: z.array(z.strictObject({ seq: z.int(), tool: z.string(), text: z.string() })),
});

export type Found = z.infer<typeof foundSchema>;
