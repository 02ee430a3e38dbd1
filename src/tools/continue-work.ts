import { z } from 'zod';
import { defineTool } from './results.ts';

const schema = z.strictObject({
  delaySeconds: z.number().optional().describe('15 unless told; moved into 5–300 by default'),
  reason: z.string().trim().min(1).max(500).describe('What you want to look at then'),
});

export const continueWorkTool = defineTool<z.infer<typeof schema>>({
  name: 'continue_work',
  description:
    'Ends the turn and wakes you again after a while, for something that needs time and nothing ' +
    'else from you.',
  effect: 'read',
  endsTurn: true,
  modes: ['agent', 'plan'],
  isSpeaking: true,
  schema,
  run: async ({ delaySeconds = null, reason }) => ({
    outcome: 'succeeded',
    text: 'The wake is being scheduled.',
    receipt: {},
    end: { kind: 'election', on: 'timer', seconds: delaySeconds, until: null, text: reason },
  }),
});
