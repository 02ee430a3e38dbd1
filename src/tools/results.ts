import type { Receipt } from '../../schema/ledger.ts';
import { CommandsRefused } from '../contract/failures.ts';
import { PathRefused } from '../workspace/paths.ts';
import type { Tool, ToolResult } from './tool.ts';

export const ALL_MODES = ['agent', 'plan', 'gather'] as const;

/** Lets tools with different arguments stand in one list; the registry parses before it runs. */
export function defineTool<Arguments>(tool: Tool<Arguments>): Tool {
  return tool as Tool;
}

export function succeeded(text: string, receipt: Receipt = {}): ToolResult {
  return { outcome: 'succeeded', text, receipt };
}

export function failed(reason: string, receipt: Receipt = {}): ToolResult {
  return { outcome: 'failed', text: reason, receipt: { ...receipt, reason } };
}

export function refused(reason: string): ToolResult {
  return { outcome: 'refused', text: `Refused: ${reason}.`, receipt: { reason } };
}

/** Turns a refused path or command into a refusal and rethrows every other error. */
export async function refusingPaths<Value>(act: () => Promise<Value>): Promise<Value | ToolResult> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof PathRefused || error instanceof CommandsRefused)
      return refused(error.message);
    throw error;
  }
}
