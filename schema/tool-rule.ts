import { z } from 'zod';
import { commandGlobSchema, matchesWord, pathGlobSchema } from './glob.ts';

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

/**
 * A rule's decision on matching calls; the first matching rule decides. `tool` is a name with `*`
 * and `?`; `command` a command line whose words may be globs, matched against every simple command
 * of the line; `path` a glob relative to the workspace.
 */
export const toolRuleSchema = z
  .strictObject({
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
  })
  .refine(({ tool, decision }) => decision !== 'ask' || !NEVER_ASKED.has(tool), {
    path: ['decision'],
    message: 'nobody is asked about calls that only speak to the host or to a person',
  })
  .refine(({ tool, command }) => command === undefined || matchesWord(tool, 'run_command'), {
    path: ['tool'],
    message: 'a rule about commands is one of run_command, also for commands of other tools',
  });

export const toolRulesSchema = z.array(toolRuleSchema).max(50);

export type ToolDecision = z.infer<typeof toolDecisionSchema>;
export type ToolRule = z.infer<typeof toolRuleSchema>;
