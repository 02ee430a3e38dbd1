import { z } from 'zod';
import { wordSchema } from './text.ts';

const name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,19}$/i, 'letters, digits and "-", at most 20');

const seconds = z.int().min(1).max(1800);

const folder = wordSchema(4096).regex(/^\//, 'an absolute path');

const shared = {
  /** Only these of its tools; all unless told. */
  tools: z.array(wordSchema(128)).max(200).optional(),
  /** Effect of each tool, which decides what a crash during a call means; `once` by default. */
  effects: z.record(z.string(), z.enum(['read', 'once'])).optional(),
  /** Believe the server where it says that a tool only reads. */
  trustHints: z.boolean().optional(),
  timeoutSeconds: seconds.optional(),
};

const processSchema = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).max(100).optional(),
  env: z.record(z.string(), z.string()).optional(),
  /** It may read this folder. Its own home unless told. */
  cwd: folder.optional(),
  /** Further folders that it may read, such as a workspace or the server's own code. */
  reads: z.array(folder).max(50).optional(),
  /** Folders that it may change. */
  writes: z.array(folder).max(50).optional(),
  /** `host` is the machine's; a loopback of its own unless told. */
  network: z.enum(['none', 'host']).optional(),
  ...shared,
});

const httpSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()).optional(),
  ...shared,
});

/** `{"NAME": {"command": …} | {"url": …}}`, as other MCP hosts write it. */
export const mcpServersSchema = z.record(name, z.union([processSchema, httpSchema]));

export type McpServers = z.infer<typeof mcpServersSchema>;

export type McpServerSettings = McpServers[string];

export type McpProcessSettings = z.infer<typeof processSchema>;
