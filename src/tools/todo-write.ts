import { z } from 'zod';
import { todoLevelSchema, todoStatusSchema } from '../../schema/todo.ts';
import { applyTodoWrite } from '../proof/todo/todos.ts';
import { defineTool, failed, succeeded } from './results.ts';

const todoSchema = z.strictObject({
  id: z.string().max(80).optional().describe('Of an item that is in the list already'),
  content: z.string().min(1).max(1000),
  activeForm: z.string().min(1).max(1000).optional().describe('Such as "Writing the parser"'),
  status: todoStatusSchema,
  level: todoLevelSchema.optional().describe('1 for a sub-step of the item above'),
});

const schema = z.strictObject({ todos: z.array(todoSchema).max(200) });

/** Nobody signs items off while the goal only plans. */
const PLANNED = 'The list is stored, and goes with the plan to whoever carries it out.';

export const todoWriteTool = defineTool<z.infer<typeof schema>>({
  name: 'todo_write',
  description:
    'Writes the whole todo list. Exactly one item may be in_progress. It cannot complete an ' +
    'item: that takes a sign-off with evidence. Items that are left out are kept as dropped.',
  effect: 'read',
  modes: ['agent', 'plan'],
  isSpeaking: true,
  isLifecycle: true,
  schema,
  run: async ({ todos }, context) => {
    const change = applyTodoWrite(context.todos, todos);
    if (!change.ok) return failed(change.reason);
    const isPlan = context.delegation?.mode === 'plan';
    return { ...succeeded(isPlan ? PLANNED : change.text), todos: change.items };
  },
});
