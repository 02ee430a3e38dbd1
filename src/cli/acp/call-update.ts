import { isAbsolute, join } from 'node:path';
import type { ToolCall, ToolKind } from '@agentclientprotocol/sdk';
import type { Call } from '../../../schema/turn.ts';
import { oneLine, printable } from '../terminal.ts';

type Shown = Pick<ToolCall, 'status' | 'content'>;

const KINDS: Readonly<Record<string, ToolKind>> = {
  ...{ read_file: 'read', recall: 'read', get_diagnostics: 'read' },
  ...{ list_files: 'search', grep_search: 'search' },
  ...{ write_file: 'edit', edit_file: 'edit', run_command: 'execute' },
  ...{ todo_write: 'think', update_plan: 'think', set_requirements: 'think' },
};
const OF_AGENTS: readonly string[] = [
  ...['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'switch_mode'],
];

function kindOf(tool: string): ToolKind {
  if (tool.startsWith('check.')) return 'execute';
  if (!tool.startsWith('agent.')) return KINDS[tool] ?? 'other';
  const said = tool.slice('agent.'.length);
  return OF_AGENTS.includes(said) ? (said as ToolKind) : 'other';
}

export const statusOf = ({ outcome }: Call): NonNullable<ToolCall['status']> => {
  if (outcome === null) return 'in_progress';
  return outcome === 'succeeded' ? 'completed' : 'failed';
};

/** A call of the ledger as an editor shows it. @param root of its workspace */
export function shownCall(call: Call, root: string): ToolCall {
  const { callId, tool } = call;
  const paths = pathsOf(call).map((path) => ({ path: isAbsolute(path) ? path : join(root, path) }));
  return {
    toolCallId: callId,
    title: titleOf(call),
    kind: kindOf(tool),
    rawInput: call.arguments,
    ...(paths.length === 0 ? {} : { locations: paths }),
    ...shownEnd(call, null),
  };
}

/** @param output of the call; null = it is not shown */
export function shownEnd(call: Call, output: string | null): Shown {
  const said = [endOf(call), output].filter((text) => text !== null && text !== '');
  const text = printable(said.join('\n'));
  return {
    status: statusOf(call),
    ...(text === '' ? {} : { content: [{ type: 'content', content: { type: 'text', text } }] }),
  };
}

const MOST_PATHS = 20;

function pathsOf({ receipt, arguments: given }: Call): readonly string[] {
  const { path } = fieldsOf(given);
  const written = receipt?.writes ?? [];
  if (written.length > 0) return written.slice(0, MOST_PATHS);
  return typeof path === 'string' ? [path] : [];
}

function titleOf({ tool, arguments: given }: Call): string {
  const { title, command, path } = fieldsOf(given);
  const about = [title, command, path].find((one) => typeof one === 'string' && one !== '');
  if (about === undefined) return tool;
  const text = oneLine(String(about), 200);
  return about === title || about === command ? text : `${tool} ${text}`;
}

function endOf({ outcome, receipt }: Call): string | null {
  if (outcome === null || receipt === null) return null;
  const { exitCode, reason } = receipt;
  if (reason !== undefined) return `${outcome}: ${reason}`;
  return exitCode === undefined || exitCode === null ? null : `exit ${exitCode}`;
}

const fieldsOf = (given: unknown): Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {};
