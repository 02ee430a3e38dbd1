import { z } from 'zod';
import { stepEvidenceSchema } from '../../schema/todo.ts';
import { completeStep } from '../goal/todos.ts';
import { loadShellParser } from '../shell/parse.ts';
import { defineTool, failed, succeeded } from './results.ts';

const schema = z.strictObject({
  step: z
    .union([z.string().trim().min(1).max(1000), z.int().min(1)])
    .transform(String)
    .describe('The item in progress: its text, number or id'),
  result: z.string().trim().min(1).max(4000).describe('What was achieved'),
  evidence: z
    .array(stepEvidenceSchema)
    .min(1)
    .max(20)
    .describe(
      'verification names a command that ran and passed, diff and files name paths that were ' +
        'written or read; manual is for what only a person can check',
    ),
});

export const completeStepTool = defineTool<z.infer<typeof schema>>({
  name: 'complete_step',
  description:
    'Signs off the todo item that is in progress, with evidence that the host compares with ' +
    'what was really run, read and written. The next item is then in progress.',
  effect: 'read',
  modes: ['agent'],
  isLifecycle: true,
  schema,
  run: async (args, context) => {
    const shell = { parse: await loadShellParser(), workspace: context.workspace.path };
    const change = completeStep(context.todos, args, await context.receipts(), shell);
    if (!change.ok) return failed(change.reason);
    return { ...succeeded(change.text), todos: change.items };
  },
});
