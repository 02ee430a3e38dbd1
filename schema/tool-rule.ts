import { z } from 'zod';
import { inForms } from './forms.ts';
import { commandGlobSchema, matchesWord, pathGlobSchema } from './glob.ts';
import { inFormat } from './text.ts';

export const toolDecisionSchema = z.enum(['allow', 'ask', 'deny']);

/**
 * Names of the built-in tools with `isSpeaking`, which a caller's rule is checked against: a schema
 * knows no tool, and a test keeps both the same.
 */
export const NEVER_ASKED: ReadonlySet<string> = new Set([
  'attempt_completion',
  'complete_step',
  'todo_write',
  'update_plan',
  'propose_criterion',
  'propose_scope',
  'dispute_criterion',
  'set_requirements',
  'ask_user',
  'report_blocker',
  'continue_work',
]);

const askedTool = z.string().regex(new RegExp(`^(?!(?:${[...NEVER_ASKED].join('|')})$)`));

const runsCommands = z
  .string()
  .check(
    inFormat('tool-glob-of-run-command', (glob) =>
      matchesWord(glob, 'run_command') ? null : 'it names other tools',
    ),
  );

/**
 * A rule's decision on matching calls; the first matching rule decides. `tool` is a name with `*`
 * and `?`; `command` a command line whose words may be globs, matched against every simple command
 * of the line; `path` a glob relative to the workspace.
 */
export const toolRuleSchema = inForms(
  inForms(
    z.strictObject({
      tool: z
        .string()
        .regex(/^[\w*?.:/-]{1,120}$/, 'a tool name, with * and ? as wildcards')
        .describe('The name of a tool; * and ? are wildcards'),
      command: commandGlobSchema
        .optional()
        .describe('Words of a command, such as "git push --force"'),
      path: pathGlobSchema
        .optional()
        .describe('A glob relative to the workspace, such as "secrets/**"'),
      decision: toolDecisionSchema,
    }),
    [{ where: { decision: z.enum(['allow', 'deny']) } }, { where: { tool: askedTool } }],
    {
      path: ['decision'],
      message: 'nobody is asked about calls that only speak to the host or to a person',
    },
  ),
  [{ lacks: ['command'] }, { where: { tool: runsCommands } }],
  {
    path: ['tool'],
    message: 'a rule about commands is one of run_command, also for commands of other tools',
  },
);

export const toolRulesSchema = z.array(toolRuleSchema).max(50);

export type ToolDecision = z.infer<typeof toolDecisionSchema>;
export type ToolRule = z.infer<typeof toolRuleSchema>;
