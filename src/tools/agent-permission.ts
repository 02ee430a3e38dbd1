import { z } from 'zod';
import { ALL_MODES, defineTool, succeeded } from './results.ts';

export const AGENT_PERMISSION = 'agent_permission';

/** What an agent asked to be allowed, and the tool of the host that does the same. */
export const agentPermissionSchema = z.strictObject({
  tool: z.string(),
  title: z.string(),
  command: z.string().optional(),
  cwd: z.string().optional(),
  paths: z.array(z.string()).optional(),
});

export type AskedPermission = z.infer<typeof agentPermissionSchema>;

/** What a person allowed for the turn that follows. */
export interface Grant {
  readonly asked: AskedPermission;
  readonly rule: string;
  readonly approvalId: string;
}

/** Runs nothing: where it succeeds, the agent's next turn may do what it asked for, once. */
export const agentPermissionTool = defineTool({
  name: AGENT_PERMISSION,
  description: 'What the agent of this goal asks to be allowed in its next turn.',
  effect: 'read',
  modes: ALL_MODES,
  isHostsOwn: true,
  isForHost: true,
  judgedAs: ({ tool }) => tool,
  schema: agentPermissionSchema,
  async run({ command, title }) {
    return succeeded(`Allowed once, in the next turn: ${(command ?? title).slice(0, 300)}`);
  },
});
