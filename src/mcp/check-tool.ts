import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type CheckResult, checkResultSchema } from '../../schema/check-result.ts';

const shape = {
  repository: z
    .string()
    .min(1)
    .max(4000)
    .optional()
    .describe('A folder of the repository; absent: where this server was started'),
  base: z
    .string()
    .min(1)
    .max(250)
    .optional()
    .describe(
      'A commit, a branch, or merge-base:BRANCH; absent: where the default branch was left',
    ),
  head: z
    .string()
    .min(1)
    .max(250)
    .optional()
    .describe('The commit that is judged; absent: the work tree as it is'),
  criteria: z
    .array(z.string().min(1).max(1000))
    .max(50)
    .default([])
    .describe("Commands that have to hold beside those of the base's goalkeeper.yaml"),
};

type CheckArguments = z.output<z.ZodObject<typeof shape>>;

/** Judges a repository of this machine; what it can't judge is a problem in words. */
export type CheckHere = (
  asked: CheckArguments,
  signal: AbortSignal,
) => Promise<CheckResult | { readonly problem: string; readonly wayOut: string }>;

/**
 * The judge alone, for an agent that wants to know before it claims. It can't accept anything: that
 * is a person's.
 */
export function offerCheck(server: McpServer, check: CheckHere): void {
  server.registerTool(
    'check',
    {
      title: 'Is the work proven?',
      description:
        'Judges what differs from a commit: the criteria have to fail on the base, and hold on the ' +
        'base with the changes in scope and nothing else. Tests and settings that were changed do ' +
        'not count. Takes as long as several runs of the criteria.',
      inputSchema: z.strictObject(shape),
      outputSchema: checkResultSchema,
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    async (asked, { mcpReq }) => {
      const found = await check(asked, mcpReq.signal);
      const content = [{ type: 'text' as const, text: JSON.stringify(found, null, 1) }];
      if ('problem' in found) return { content, isError: true };
      return { content, structuredContent: found };
    },
  );
}
