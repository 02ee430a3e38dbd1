import { z } from 'zod';
import { defineTool, succeeded } from './results.ts';

/** The plan goes into every request, so it stays a page or two. */
const LONGEST_PLAN = 8000;

const schema = z.strictObject({
  markdown: z.string().trim().min(1).max(LONGEST_PLAN).describe('The whole plan, not a change'),
});

export const updatePlanTool = defineTool<z.infer<typeof schema>>({
  name: 'update_plan',
  description:
    'Writes the plan, as Markdown: how the goal will be reached, what was decided and why. It ' +
    'replaces the one before, and you see it in every turn. Steps to sign off belong into ' +
    'todo_write.',
  effect: 'read',
  modes: ['agent', 'plan'],
  isSpeaking: true,
  schema,
  run: async ({ markdown }) => ({ ...succeeded('The plan is stored.'), plan: markdown }),
});
