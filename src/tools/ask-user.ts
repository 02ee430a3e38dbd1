import { z } from 'zod';
import { ALL_MODES, defineTool } from './results.ts';

const schema = z.strictObject({
  question: z.string().trim().min(1).max(4000),
  options: z.array(z.string().trim().min(1).max(500)).max(10).optional(),
  default: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .optional()
    .describe('The answer that holds if nobody gives one, where the goal has a time for that'),
  timeoutSeconds: z
    .int()
    .min(1)
    .max(2_592_000)
    .optional()
    .describe('Wait at least so long; the goal may wait longer, or for as long as it takes'),
});

export const askUserTool = defineTool<z.infer<typeof schema>>({
  name: 'ask_user',
  description:
    'Asks the person a question that nothing in the workspace answers. The goal pauses until ' +
    'they have answered.',
  effect: 'read',
  endsTurn: true,
  modes: ALL_MODES,
  isSpeaking: true,
  schema,
  run: async ({ question, options = [], default: fallback, timeoutSeconds }) => ({
    outcome: 'succeeded',
    text: 'The question was put to the person.',
    receipt: {},
    end: {
      kind: 'question',
      text: question,
      options,
      hasDefault: fallback !== undefined,
      timeoutSeconds,
    },
  }),
});
