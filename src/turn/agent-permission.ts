import { isAbsolute, relative } from 'node:path';
import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { LedgerRow } from '../../schema/ledger.ts';
import { ownValue } from '../../schema/own-value.ts';
import { TOOLS_SERVER } from '../agents/bridge.ts';
import type { SaidCall } from '../agents/update-log.ts';
import { shellLine } from '../process/shell-line.ts';
import {
  AGENT_PERMISSION,
  type AskedPermission,
  agentPermissionSchema,
  type Grant,
} from '../tools/agent-permission.ts';
import { isOfAgent } from './agent-calls.ts';
import { judgeByRules, storedAnswer } from './judge-call.ts';
import type { SliceRun } from './slice-run.ts';

export type Permission =
  | { readonly decision: 'allow' }
  /** By what a person allowed once. */
  | { readonly decision: 'allow_once'; readonly by: Grant }
  /** By what a person allowed for good. */
  | { readonly decision: 'allow_always'; readonly asked: AskedPermission; readonly rule: string }
  | { readonly decision: 'deny'; readonly reason: string; readonly rule: string | null }
  /** A person has to be asked, which ends the agent's turn. */
  | { readonly decision: 'ask'; readonly asked: AskedPermission };

/** Which of the host's own tools does the same, so that one policy rules both. */
const SAME_AS: Readonly<Record<string, string>> = {
  execute: 'run_command',
  read: 'read_file',
  search: 'grep_search',
  edit: 'edit_file',
  delete: 'edit_file',
  move: 'edit_file',
};

/**
 * What the turn before was allowed, and no attempt of this one has used: an attempt that died may
 * have done it.
 */
export async function openGrants(run: SliceRun): Promise<Grant[]> {
  const { goalId, turn } = run.input;
  const { journal } = run.ports;
  const before = turn === 1 ? null : await journal.turn(goalId, turn - 1);
  const given = (before?.settled ?? []).filter((row) => isAllowing(row) && !isOfAgent(row));
  if (given.length === 0) return [];
  const { settled } = await journal.turn(goalId, turn);
  const used = new Set(
    settled
      .filter((row) => isAllowing(row) && isOfAgent(row))
      .map((row) => row.receipt?.policy?.approvalId),
  );
  return given.flatMap((row) => {
    const started = before?.started.find(({ callId }) => callId === row.callId);
    const asked = agentPermissionSchema.safeParse(started?.arguments);
    const { rule, approvalId } = row.receipt?.policy ?? {};
    if (!asked.success || rule === undefined || approvalId === undefined) return [];
    return used.has(approvalId) ? [] : [{ asked: asked.data, rule, approvalId }];
  });
}

const isAllowing = ({ tool, outcome }: LedgerRow): boolean =>
  tool === AGENT_PERMISSION && outcome === 'succeeded';

/**
 * The policy's word on what an agent asks for.
 * @param grants open ones; the one that is used is taken out
 */
export async function judgePermission(
  run: SliceRun,
  call: SaidCall,
  grants: Grant[],
): Promise<Permission> {
  const tool = ownValue(SAME_AS, call.kind) ?? `agent.${call.kind}`;
  const input = inputOf(call);
  if (isAboutGoalTools(call, input)) return { decision: 'allow' };
  const command = commandIn(input);
  if (tool === 'run_command' && command === null) return NAMELESS;
  const paths = pathsOf(run, call, input);
  const named = { ...(command !== null && { command }), ...(paths.length > 0 && { paths }) };
  const { decision, rule } = await judgeByRules(run, { name: tool, isSpeaking: false }, named);
  if (decision === 'allow') return { decision };
  const title = call.title || call.kind;
  if (decision === 'deny')
    return { decision, reason: `${(command ?? title).slice(0, 300)}: ${rule}`, rule };
  const asked = { tool, title, ...named, ...folderIn(run, input) };
  const stored = await storedAnswer(run, AGENT_PERMISSION, asked);
  if (stored !== null) return { decision: 'allow_always', asked, rule: stored };
  const place = grants.findIndex((grant) => isSame(grant.asked, asked));
  const [by] = place === -1 ? [] : grants.splice(place, 1);
  return by === undefined ? { decision, asked } : { decision: 'allow_once', by };
}

/** A title is only the agent's words where there is something to compare. */
function isSame(one: AskedPermission, other: AskedPermission): boolean {
  const keyOf = ({ tool, title, command, cwd, paths }: AskedPermission) =>
    JSON.stringify([tool, command ?? paths ?? title, paths, cwd]);
  return keyOf(one) === keyOf(other);
}

const NAMELESS: Permission = {
  decision: 'deny',
  reason: 'a command that the question did not name can not be judged',
  rule: null,
};

/** The way of saying yes or no that binds least. */
export function answerTo(
  { options }: RequestPermissionRequest,
  decision: Permission['decision'],
): RequestPermissionResponse {
  if (decision === 'ask') return { outcome: { outcome: 'cancelled' } };
  const kinds =
    decision === 'deny'
      ? (['reject_once', 'reject_always'] as const)
      : (['allow_once', 'allow_always'] as const);
  const chosen = kinds.flatMap((kind) => options.find((option) => option.kind === kind) ?? [])[0];
  return chosen === undefined
    ? { outcome: { outcome: 'cancelled' } }
    : { outcome: { outcome: 'selected', optionId: chosen.optionId } };
}

/** The host judges these calls itself when they arrive, by the rules of their own names. */
function isAboutGoalTools(
  { kind, title }: SaidCall,
  input: Readonly<Record<string, unknown>>,
): boolean {
  const isNamed = [input.server, input.server_name].includes(TOOLS_SERVER);
  return kind === 'other' && (isNamed || title.startsWith(`mcp__${TOOLS_SERVER}__`));
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
  return isList && given.every((part) => typeof part === 'string') ? shellLine(given) : null;
}

/** The same command is another one elsewhere. */
function folderIn(
  run: SliceRun,
  { cwd, workdir }: Readonly<Record<string, unknown>>,
): { cwd?: string } {
  const given = cwd ?? workdir;
  if (typeof given !== 'string') return {};
  const root = run.brief.workspace.path;
  return { cwd: isAbsolute(given) ? relative(root, given) || '.' : given };
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
