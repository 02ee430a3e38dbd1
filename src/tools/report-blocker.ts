import { z } from 'zod';
import { ALL_MODES, defineTool } from './results.ts';

const schema = z.strictObject({
  blocker: z
    .string()
    .trim()
    .min(1)
    .max(4000)
    .describe('What stands in the way, and what was tried'),
});

export const reportBlockerTool = defineTool<z.infer<typeof schema>>({
  name: 'report_blocker',
  description:
    'Reports that the goal cannot be reached without something that only a person can give, ' +
    'such as access or a decision. The goal pauses.',
  effect: 'read',
  endsTurn: true,
  modes: ALL_MODES,
  isSpeaking: true,
  schema,
  run: async ({ blocker }) => ({
    outcome: 'succeeded',
    text: 'The blocker was reported.',
    receipt: {},
    end: { kind: 'blocker', text: blocker },
  }),
});
