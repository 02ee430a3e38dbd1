import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import type { ToolRule } from '../../schema/tool-rule.ts';
import { coverageOf, coverageText, covers } from '../policy/covered-calls.ts';
import type { JudgedCall } from '../policy/judged-call.ts';
import { judgeFile, judgeTool, type ToolRules, type ToolVerdict } from '../policy/tool-policy.ts';
import { loadShellParser } from '../shell/read/parse.ts';
import type { Tool, ToolContext, ToolResult } from '../tools/tool.ts';
import { resolvedName } from '../workspace/paths.ts';
import { ruledWorkspace } from '../workspace/ruled-workspace.ts';
import type { SliceRun } from './slice-run.ts';

interface PolicedArguments {
  readonly command?: unknown;
  /** Of a dispute: the host runs its command. */
  readonly counterExample?: { readonly command?: unknown };
  readonly cwd?: unknown;
  readonly path?: unknown;
  readonly paths?: unknown;
  readonly file?: unknown;
}

/** The goal and ports whose rules apply. */
type Ruled = Pick<SliceRun, 'brief' | 'ports'>;

/**
 * The verdict of the goal's and the service's rules on a call with these arguments. Where they ask
 * a person, a rule that a person stored for the workspace answers: it lifts no denial.
 */
export async function judgeCall(
  run: Ruled,
  tool: Pick<Tool, 'name' | 'isSpeaking' | 'judgedAs'>,
  args: unknown,
): Promise<ToolVerdict> {
  const verdict = await judgeByRules(run, tool, args);
  if (verdict.decision !== 'ask') return verdict;
  const rule = await storedAnswer(run, tool.name, args);
  return rule === null ? verdict : { decision: 'allow', rule };
}

/** The stored rule that lets this call run, in words that name it. */
export async function storedAnswer(
  { brief, ports }: Ruled,
  tool: string,
  args: unknown,
): Promise<string | null> {
  const call = coverageOf(tool, args);
  if (call === null || ports.storedRules === undefined) return null;
  const rules = await ports.storedRules.holding(ruledWorkspace(brief.workspace));
  if (rules.length === 0) return null;
  const parse = await loadShellParser();
  const resolved = (path: string) => resolvedName(brief.workspace.path, path);
  const rule = rules.find((one) => covers(one.covers, call, { parse, resolved }));
  if (rule === undefined) return null;
  return `stored rule ${rule.ruleId} (always ${coverageText(rule.covers).slice(0, 300)}), by ${rule.madeBy}`;
}

export async function judgeByRules(
  run: Ruled,
  tool: Pick<Tool, 'name' | 'isSpeaking' | 'judgedAs'>,
  args: unknown,
): Promise<ToolVerdict> {
  const { counterExample, ...asked } = (args ?? {}) as PolicedArguments;
  const { command = counterExample?.command, cwd, path, paths, file } = asked;
  const name = tool.judgedAs?.(args) ?? tool.name;
  const rules = rulesOf(run);
  const hasPaths = isAboutPaths(rules);
  const named = hasPaths ? [path, file, ...(Array.isArray(paths) ? paths : [])].filter(isText) : [];
  const workspace = run.brief.workspace.path;
  const place = {
    folders: hasPaths && isText(cwd) ? everyName(workspace, [cwd]) : [''],
    workspace,
    resolved: remembering((one) => resolvedName(workspace, one)),
  };
  const call: JudgedCall = {
    ...place,
    tool: name,
    isSpeaking: tool.isSpeaking === true,
    command: name === 'run_command' && isText(command) ? command : null,
    paths: everyName(workspace, named),
  };
  const parse = await loadShellParser();
  const own = judgeTool(call, rules, parse);
  if (own.decision === 'deny' || call.command !== null || !isText(command)) return own;
  // A tool whose arguments hold a command makes the host run it, so rules for commands apply as
  // well.
  const inner = judgeTool(
    { ...place, tool: 'run_command', isSpeaking: false, command, paths: [] },
    rules,
    parse,
  );
  return inner.decision === 'allow' ? own : inner;
}

function remembering(look: (path: string) => string | null): (path: string) => string | null {
  const known = new Map<string, string | null>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const found = look(path);
    known.set(path, found);
    return found;
  };
}

function rulesOf({ brief, ports }: Ruled): ToolRules {
  const { rules = [], problem = null } =
    ports.workspaceRules?.(ruledWorkspace(brief.workspace)) ?? {};
  const goal = brief.toolRules ?? [];
  const service = [...homeRules(brief.workspace.path, ports.home), ...(ports.toolRules ?? [])];
  return { goal, workspace: rules, unreadable: problem, service };
}

/** A workspace may hold the service's home, where the rules themselves lie. */
function homeRules(workspace: string, home: string): ToolRule[] {
  const inside = relative(workspace, existsSync(home) ? realpathSync(home) : home);
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) return [];
  return [{ tool: '*', path: inside.replace(/[^A-Za-z0-9/]/gu, '\\$&'), decision: 'deny' }];
}

const isAboutPaths = ({ goal, workspace = [], service }: ToolRules): boolean =>
  [...goal, ...workspace, ...service].some((rule) => rule.path !== undefined);

/**
 * The rules' verdict on a file that a call reached without naming it; undefined when no rule has a
 * path.
 */
export function guardOf(run: Ruled, tool: string): ToolContext['guard'] {
  const rules = rulesOf(run);
  if (!isAboutPaths(rules)) return undefined;
  const call = { tool, isSpeaking: false, command: null, workspace: run.brief.workspace.path };
  return (path) => judgeFile({ ...call, paths: [path] }, rules).decision;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** The paths as written and, through links, as resolved. */
const everyName = (workspace: string, paths: readonly string[]): string[] =>
  paths.flatMap((path) => {
    const written = path.replace(/^(\.\/)+/, '').replace(/\/+$/, '');
    const resolved = resolvedName(workspace, path);
    return resolved === null ? [written] : [written, resolved];
  });

/** The refusal for the model; null when the call may run or a person is asked. */
export function refusalBy({ decision, rule }: ToolVerdict): ToolResult | null {
  if (decision !== 'deny') return null;
  const why = `the policy forbids it: ${rule}`;
  return underRule(
    {
      outcome: 'refused',
      text: `Refused: ${why}. Repeating it changes nothing; find another way, or talk to the person with ask_user or report_blocker.`,
      receipt: { reason: why },
    },
    { decision, rule },
  );
}

/** Records the rule in the receipt. */
export function underRule(
  result: ToolResult,
  { decision, rule }: ToolVerdict,
  person: { readonly approvalId?: string; readonly by?: string } = {},
): ToolResult {
  if (rule === null) return result;
  return { ...result, receipt: { ...result.receipt, policy: { decision, rule, ...person } } };
}
