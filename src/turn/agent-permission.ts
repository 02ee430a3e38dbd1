import { isAbsolute, relative } from 'node:path';
import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { SaidCall } from '../agents/update-log.ts';
import { judgeCall } from './judge-call.ts';
import type { SliceRun } from './slice-run.ts';

export interface Permission {
  readonly isAllowed: boolean;
  readonly reason: string;
  readonly rule: string | null;
}

/** Which of the host's own tools does the same, so that one policy rules both. */
const SAME_AS: Readonly<Record<string, string>> = {
  execute: 'run_command',
  read: 'read_file',
  search: 'grep_search',
  edit: 'edit_file',
  delete: 'edit_file',
  move: 'edit_file',
};

/** The policy's word on what an agent asks for. A rule that would ask a person refuses. */
export async function judgePermission(run: SliceRun, call: SaidCall): Promise<Permission> {
  const tool = SAME_AS[call.kind] ?? `agent.${call.kind}`;
  const input = inputOf(call);
  const command = commandIn(input);
  if (tool === 'run_command' && command === null) return NAMELESS;
  const paths = pathsOf(run, call, input);
  const asked = { ...(command !== null && { command }), ...(paths.length > 0 && { paths }) };
  const { decision, rule } = await judgeCall(run, { name: tool, isSpeaking: false }, asked);
  if (decision === 'allow') return { isAllowed: true, reason: '', rule };
  const what = (command ?? (call.title || call.kind)).slice(0, 300);
  const why =
    decision === 'ask' ? `${rule} (it would ask a person, which an agent can't wait for)` : rule;
  return { isAllowed: false, reason: `${what}: ${why}`, rule };
}

const NAMELESS: Permission = {
  isAllowed: false,
  reason: 'a command that the question did not name can not be judged',
  rule: null,
};

/** The way of saying yes or no that binds least. */
export function answerTo(
  { options }: RequestPermissionRequest,
  isAllowed: boolean,
): RequestPermissionResponse {
  const kinds = isAllowed
    ? (['allow_once', 'allow_always'] as const)
    : (['reject_once', 'reject_always'] as const);
  const chosen = kinds.flatMap((kind) => options.find((option) => option.kind === kind) ?? [])[0];
  return chosen === undefined
    ? { outcome: { outcome: 'cancelled' } }
    : { outcome: { outcome: 'selected', optionId: chosen.optionId } };
}

function inputOf({ input }: SaidCall): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(input ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function commandIn({ command, cmd }: Readonly<Record<string, unknown>>): string | null {
  const given = command ?? cmd;
  if (typeof given === 'string' && given.trim() !== '') return given;
  const isList = Array.isArray(given) && given.length > 0;
  return isList && given.every((part) => typeof part === 'string') ? given.join(' ') : null;
}

function pathsOf(
  run: SliceRun,
  { paths }: SaidCall,
  { path, file_path, filePath }: Readonly<Record<string, unknown>>,
): string[] {
  const named = [...paths, path, file_path, filePath].filter((one) => typeof one === 'string');
  const root = run.brief.workspace.path;
  return named.map((one) => (isAbsolute(one) ? relative(root, one) : one));
}
