import { z } from 'zod';
import { networkSchema } from './network.ts';
import { wordSchema } from './text.ts';

/** The host's own loop; the name stands for no entry of the settings. */
export const BUILT_IN_AGENT = 'builtin';

export const agentNameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'small letters, digits and "-", at most 40');

const folder = wordSchema(4096).regex(/^\//, 'an absolute path');

/** A program that speaks the Agent Client Protocol over its input and output. */
const agentSchema = z.strictObject({
  command: z.string().min(1).max(4096),
  args: z.array(z.string().max(4096)).max(100).optional(),
  /** `${NAME}` stands for a variable of the worker. */
  env: z.record(z.string(), z.string()).optional(),
  /** What it reaches, with all that it starts; `none` unless told. */
  network: networkSchema.optional(),
  /** Further folders that it may read, such as its own code. */
  reads: z.array(folder).max(50).optional(),
  /** Longest time of one turn; 30 unless told. */
  turnMinutes: z.number().positive().max(60).optional(),
  /** The one of its own session modes that it works in, by its id; what it begins with unless told. */
  mode: wordSchema(100).optional(),
  /** The one of its ways to sign in that it takes where it wants that, by its id; it needs no person. */
  signIn: wordSchema(100).optional(),
  /** It says what its work costs, so that tokens and money can be limited. */
  reportsUsage: z.boolean().optional(),
});

/** `{"opencode": {"command": "opencode", "args": ["acp"]}}` */
export const agentsSchema = z
  .record(agentNameSchema, agentSchema)
  .refine((agents) => !Object.hasOwn(agents, BUILT_IN_AGENT), {
    message: '"builtin" is the own loop and can\'t be set',
  });

export type AgentSettings = z.infer<typeof agentSchema>;
export type Agents = Readonly<Record<string, AgentSettings>>;
