import { z } from 'zod';
import { stepEvidenceSchema } from '../../schema/todo.ts';
import { defineTool } from './results.ts';

const schema = z.strictObject({
  result: z
    .string()
    .trim()
    .min(1)
    .max(8000)
    .describe('What was achieved, for the person; of a plan, the plan itself'),
  command: z
    .string()
    .min(1)
    .max(2000)
    .optional()
    .describe('A command that shows it: the host runs it, and the person sees it'),
  evidence: z
    .array(stepEvidenceSchema)
    .max(20)
    .optional()
    .describe('What speaks for it, for the person; the host checks for itself'),
});

export const attemptCompletionTool = defineTool<z.infer<typeof schema>>({
  name: 'attempt_completion',
  description:
    'Claims that the whole goal is reached; of a plan, that it is whole. Always in this order, as ' +
    'far as you have the tools: read back what was written, look at the diagnostics, run the ' +
    'tests, then claim. The host checks every criterion and todo item itself, and says what is ' +
    'missing when something is; a plan goes to a person. It ends the turn.',
  effect: 'read',
  modes: ['agent', 'plan'],
  isSpeaking: true,
  isLifecycle: true,
  endsTurn: true,
  schema,
  run: async ({ result, command }) => ({
    outcome: 'succeeded',
    text: 'The claim is being checked.',
    receipt: {},
    end: { kind: 'claim', result, command },
  }),
});
