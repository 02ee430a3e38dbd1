import { z } from 'zod';
import { objectiveFor } from '../record/delegates/delegate-text.ts';
import { mayAskFor } from '../record/delegates/delegates.ts';
import { defineTool, failed, refused, succeeded } from './results.ts';
import type { ToolContext, ToolResult } from './tool.ts';

const LONGEST_OBJECTIVE = 4000;

const schema = z.strictObject({
  task: z
    .string()
    .trim()
    .min(1)
    .max(3500)
    .describe('All that the delegate gets to know: it sees neither this conversation nor the goal'),
  mode: z
    .enum(['gather', 'plan', 'agent'])
    .optional()
    .describe('gather (default) reads and reports; plan writes a plan; agent may change files'),
  files: z.array(z.string().trim().min(1).max(300)).max(50).optional(),
  return: z
    .enum(['normal', 'silent', 'silent_wake', 'post_compaction'])
    .optional()
    .describe(
      'normal (default) and silent_wake wake you with the result; silent lies ready for your next ' +
        'turn; post_compaction begins after the next compaction of this conversation',
    ),
  delaySeconds: z.number().optional().describe('Absent = when this turn has ended'),
});

type Arguments = z.infer<typeof schema>;

export const delegateTool = defineTool<Arguments>({
  name: 'delegate',
  description:
    'Hands a task to a delegate that works by itself, on a share of the budget. It begins when ' +
    'this turn has ended: end the turn in plain text when there is nothing else to do, and you ' +
    'are woken with the result. What it returns is evidence to check; it signs nothing off.',
  effect: 'read',
  isForHost: true,
  modes: ['agent', 'plan'],
  schema,
  run: (args, context) => delegate(args, context),
});

async function delegate(args: Arguments, context: ToolContext): Promise<ToolResult> {
  const { delegation } = context;
  if (delegation === undefined) return refused('this goal has nobody to delegate to');
  const { task, files = [], mode = 'gather', return: returns = 'normal' } = args;
  if (!mayAskFor(delegation.mode, mode))
    return refused(`a goal in the mode "${delegation.mode}" can't have a delegate in "${mode}"`);
  if (objectiveFor(task, files).length > LONGEST_OBJECTIVE)
    return failed(`Task and files together have more than ${LONGEST_OBJECTIVE} characters.`);
  const staged = await delegation.staged();
  if (staged >= delegation.perTurn)
    return failed(
      `${staged} delegates were asked for in this turn already, of at most ${delegation.perTurn}.`,
    );
  const delaySeconds = clamped(args.delaySeconds, delegation.delay);
  const request = { task, files, mode, returns, delaySeconds };
  return {
    ...succeeded(answer(args.delaySeconds, delaySeconds, delegation.delay)),
    delegate: request,
  };
}

type Bounds = NonNullable<ToolContext['delegation']>['delay'];

function clamped(asked: number | undefined, { least, most }: Bounds): number {
  if (asked === undefined || asked <= 0) return 0;
  return Math.min(most, Math.max(least, Math.round(asked)));
}

function answer(asked: number | undefined, seconds: number, { least, most }: Bounds): string {
  const when =
    seconds === 0 ? 'when this turn has ended' : `${seconds} s after this turn has ended`;
  const note =
    seconds === (asked ?? 0) ? '' : ` You asked for ${asked} s; the bounds are ${least}–${most} s.`;
  return `Noted: it begins ${when}, unless a bound forbids it, which you would be told.${note}`;
}
