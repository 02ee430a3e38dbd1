import type { Tool as ListedTool } from '@modelcontextprotocol/client';
import type { McpServerSettings } from '../../schema/mcp-servers.ts';
import { type SchemaFault, schemaFault } from './schema-limits.ts';

export type RefusedTool = SchemaFault & { readonly tool: string };

const LONGEST_NAME = 64;

/** Those that the settings name; all where they name none. */
export const chosenTools = (
  { tools }: McpServerSettings,
  listed: readonly ListedTool[],
): ListedTool[] => listed.filter(({ name }) => tools === undefined || tools.includes(name));

/** Tools that are not offered because of their schemas. */
export const refusedTools = (
  settings: McpServerSettings,
  listed: readonly ListedTool[],
): RefusedTool[] =>
  chosenTools(settings, listed).flatMap(({ name, inputSchema }) => {
    const fault = schemaFault(inputSchema);
    return fault === null ? [] : [{ tool: name.slice(0, LONGEST_NAME), ...fault }];
  });
