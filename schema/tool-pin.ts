import { z } from 'zod';
import { wordSchema } from './text.ts';

export const toolDefinitionSchema = z.strictObject({
  /** SHA-256 of all of it, also of what is too long to be shown. */
  hash: z.string(),
  description: z.string(),
  /** The server says that it only reads. */
  readOnly: z.boolean(),
  inputSchema: z.record(z.string(), z.unknown()),
});

/** A tool of an MCP server as goals of one workspace may see it. */
export const toolPinSchema = z.strictObject({
  workspace: z.string(),
  server: z.string(),
  tool: z.string(),
  /** What goals see; null = nobody trusted it yet. */
  pinned: toolDefinitionSchema.nullable(),
  /** null = by the first goal that was offered the server's tools. */
  pinnedBy: z.string().nullable(),
  pinnedAt: z.string().nullable(),
  /** What the server says now and a person has to accept; null = nothing else. */
  offered: toolDefinitionSchema.nullable(),
  offeredAt: z.string().nullable(),
});

export const acceptToolSchema = z.strictObject({
  workspace: wordSchema(120),
  tool: wordSchema(64),
  /** Of the definition that was looked at: one that changed since is not accepted. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});

export const resetToolsSchema = z.strictObject({
  workspace: wordSchema(120),
  server: wordSchema(20),
});

export type ToolDefinition = z.infer<typeof toolDefinitionSchema>;
export type ToolPin = z.infer<typeof toolPinSchema>;
