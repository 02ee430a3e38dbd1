import { z } from 'zod';
import type { LedgerRow } from '../../schema/ledger.ts';
import { stepEvidenceSchema } from '../../schema/todo.ts';
import { hasForeignWriteAfter } from '../proof/foreign-writes.ts';
import { completeStep } from '../proof/todo/todos.ts';
import { loadShellParser } from '../shell/read/parse.ts';
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

const STALE =
  'Another goal wrote to this workspace after the command ran that you cite. Run it again with ' +
  'run_command, then sign the step off';

type Evidence = z.infer<typeof stepEvidenceSchema>;

/** Masks the evidence as receipts are masked, so that the two match. */
function masked(evidence: Evidence, mask: (text: string) => string = (text) => text): Evidence {
  const { command, paths } = evidence;
  return {
    ...evidence,
    ...(command === undefined ? {} : { command: mask(command) }),
    ...(paths === undefined ? {} : { paths: paths.map(mask) }),
  };
}

const isCommand = (rows: readonly LedgerRow[], seq: number): boolean =>
  rows.some((row) => row.seq === seq && ['run_command', 'get_diagnostics'].includes(row.tool));

export const completeStepTool = defineTool<z.infer<typeof schema>>({
  name: 'complete_step',
  description:
    'Signs off the todo item that is in progress, with evidence that the host compares with ' +
    'what was really run, read and written. The next item is then in progress.',
  effect: 'read',
  modes: ['agent'],
  isSpeaking: true,
  isLifecycle: true,
  schema,
  run: async (args, context) => {
    const shell = { parse: await loadShellParser(), workspace: context.workspace.path };
    const receipts = await context.receipts();
    const evidence = args.evidence.map((one) => masked(one, context.mask));
    const change = completeStep(context.todos, { ...args, evidence }, receipts, shell);
    if (!change.ok) return failed(change.reason);
    if (args.evidence.some(({ kind }) => kind === 'verification')) {
      const [oldest] = change.receipts.filter((seq) => isCommand(receipts, seq));
      const isStale =
        oldest !== undefined && hasForeignWriteAfter(oldest, receipts, context.writeSeq);
      if (isStale) return failed(STALE);
    }
    return { ...succeeded(change.text), todos: change.items };
  },
});
