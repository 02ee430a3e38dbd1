import { z } from 'zod';
import { blockerKindSchema } from '../../schema/goal.ts';
import { ALL_MODES, defineTool } from './results.ts';

const schema = z.strictObject({
  kind: blockerKindSchema.describe(
    'authority: a right or decision that only a person can give; external: something outside of ' +
      'your reach is broken or missing; repeated_failure: every way that you tried failed',
  ),
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
  run: async ({ kind, blocker }) => ({
    outcome: 'succeeded',
    text: 'The blocker was reported.',
    receipt: {},
    end: { kind: 'blocker', text: blocker, blocker: kind },
  }),
});
