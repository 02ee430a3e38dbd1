import { alternatives, isCommandGlob, isPathGlob, matchesWord } from '../../schema/glob.ts';
import type { ToolDecision, ToolRule } from '../../schema/tool-rule.ts';
import type { ParseShell } from '../shell/read/script.ts';
import { type Segment, segmentsOf } from '../shell/read/segments.ts';
import { matchesCommand } from './command-pattern.ts';
import { dangerOf } from './destructive.ts';
import type { JudgedCall } from './judged-call.ts';
import { meansPath } from './means-path.ts';
import { pathsNamed, touchesAny } from './named-paths.ts';

/** Rules in the order in which they are asked: of the goal, of its workspace, of the service. */
export interface ToolRules {
  readonly goal: readonly ToolRule[];
  readonly workspace?: readonly ToolRule[];
  /** Why the workspace's rules can't be read. */
  readonly unreadable?: string | null;
  readonly service: readonly ToolRule[];
}

export interface ToolVerdict {
  readonly decision: ToolDecision;
  /** The rule that decided, for people and the model; null where none matched. */
  readonly rule: string | null;
}

/** The reason shown for a command that can't be read, for which no rule decides. */
const UNREADABLE = 'the command cannot be read';

/**
 * Decides whether a call may run. The first matching rule decides: the goal's own, its workspace's,
 * the service's, then the built-in ones, which ask about destructive commands. For a line with
 * several commands the strictest decision counts. An unreadable line gets the strictest decision
 * of all rules that might match. The goal's rules can't lift a denial by workspace or service.
 */
export function judgeTool(call: JudgedCall, rules: ToolRules, parse: ParseShell): ToolVerdict {
  const { unreadable = null } = rules;
  if (unreadable !== null && !call.isSpeaking) return { decision: 'deny', rule: unreadable };
  const given = [...named(rules.workspace ?? [], 'workspace'), ...named(rules.service, 'service')];
  const floor = judgeBy(call, given, parse, false);
  if (floor.decision === 'deny') return floor;
  return judgeBy(call, [...named(rules.goal, 'goal'), ...given], parse, true);
}

/** Judges a file that a call without a command came upon. */
export function judgeFile(call: JudgedCall, rules: ToolRules): ToolVerdict {
  const asFile = { ...call, command: null };
  return judgeTool(asFile, rules, () => ({ problem: null, steps: [] }));
}

interface NamedRule {
  readonly rule: ToolRule;
  readonly name: string;
}

const named = (rules: readonly ToolRule[], whose: string): NamedRule[] =>
  rules.map((rule, index) => ({ rule, name: `${whose} rule ${index + 1} (${describe(rule)})` }));

const describe = ({ tool, command, path, decision }: ToolRule): string =>
  [
    `${decision} ${tool}`,
    ...(command === undefined ? [] : [`"${command}"`]),
    ...(path === undefined ? [] : [`on ${path}`]),
  ].join(' ');

function judgeBy(
  call: JudgedCall,
  all: readonly NamedRule[],
  parse: ParseShell,
  withDefaults: boolean,
): ToolVerdict {
  const rules = all.filter(({ rule }) => meansTool(rule, call));
  if (call.command === null) return verdictOf(rules.find(({ rule }) => matchesFile(rule, call)));
  const segments = segmentsOf(parse, call.command);
  if (segments === null || isTooMuch(segments, rules)) {
    return strictest(unreadable(rules, withDefaults));
  }
  // A line that runs nothing is still a call of the tool.
  const judged = (segments.length > 0 ? segments : [IDLE]).map((segment) =>
    judgeSegment(segment, call, rules, withDefaults),
  );
  return strictest(judged);
}

const IDLE: Segment = {
  words: [],
  typed: [],
  redirects: [],
  named: [],
  beside: [],
  isPipedInto: false,
  input: [],
  entered: [],
  isInWorkspace: true,
  isAsWritten: true,
};

function meansTool({ tool }: ToolRule, call: JudgedCall): boolean {
  return call.isSpeaking ? tool === call.tool : matchesWord(tool, call.tool);
}

const verdictOf = (found: NamedRule | undefined): ToolVerdict =>
  found === undefined
    ? { decision: 'allow', rule: null }
    : { decision: found.rule.decision, rule: found.name };

/** Rules about commands don't match files. */
function matchesFile(rule: ToolRule, { paths, workspace }: JudgedCall): boolean {
  const { command, path } = rule;
  if (command !== undefined) return false;
  if (!isReadable(rule)) return rule.decision !== 'allow';
  return path === undefined || paths.some((one) => meansPath(path, one, workspace));
}

/** Comparisons of a word with a glob, some seconds of them: more would hold up all other work. */
const MOST_COMPARISONS = 500_000;

function isTooMuch(segments: readonly Segment[], rules: readonly NamedRule[]): boolean {
  const words = segments.reduce(
    (sum, { typed, named, beside }) => sum + typed.length + named.length + beside.length,
    0,
  );
  const globs = rules.flatMap(({ rule: { command, path } }) => [command, path]);
  const meant = globs.map((glob) => (glob === undefined ? 0 : alternatives(glob).length));
  return words * meant.reduce((sum, count) => sum + count, 0) > MOST_COMPARISONS;
}

function judgeSegment(
  segment: Segment,
  call: JudgedCall,
  rules: readonly NamedRule[],
  withDefaults: boolean,
): ToolVerdict {
  let paths: ReturnType<typeof pathsNamed> | undefined;
  const touches = (glob: string): boolean => {
    if (paths === undefined) paths = pathsNamed(segment, call);
    return touchesAny(glob, paths, call);
  };
  const found = rules.find(({ rule }) => matchesSegment(rule, segment, touches));
  if (found !== undefined) return verdictOf(found);
  const danger = withDefaults ? dangerOf(segment) : null;
  return danger === null
    ? { decision: 'allow', rule: null }
    : { decision: 'ask', rule: `default: ${danger}` };
}

function matchesSegment(
  rule: ToolRule,
  segment: Segment,
  touches: (glob: string) => boolean,
): boolean {
  const { command, path, decision } = rule;
  const isLenient = decision !== 'allow';
  if (!isReadable(rule)) return isLenient && mayMean(rule, segment);
  if (command !== undefined && !matchesCommand(command, segment, isLenient)) return false;
  if (path === undefined) return true;
  // A command's files are only guessed, so path rules may restrict it but never allow it.
  return isLenient && touches(path);
}

/** A stored rule that today's schema refuses may restrict a call but never allow one. */
const isReadable = ({ command, path }: ToolRule): boolean =>
  (path === undefined || isPathGlob(path)) && (command === undefined || isCommandGlob(command));

/** A pattern of several commands, which was never matched, means each of them. */
function mayMean({ command, path }: ToolRule, segment: Segment): boolean {
  if (command === undefined || (path !== undefined && !isPathGlob(path))) return true;
  const parts = command.split(/[|&;<>()\n]+/).filter((part) => part.trim() !== '');
  return !parts.every(isCommandGlob) || parts.some((part) => matchesCommand(part, segment, true));
}

/** Every rule that might match, up to the first that matches all commands. */
function unreadable(rules: readonly NamedRule[], withDefaults: boolean): ToolVerdict[] {
  const verdicts: ToolVerdict[] = [];
  for (const one of rules) {
    const verdict = verdictOf(one);
    verdicts.push({ ...verdict, rule: `${verdict.rule}; ${UNREADABLE}` });
    if (one.rule.command === undefined && one.rule.path === undefined) return verdicts;
  }
  if (withDefaults) verdicts.push({ decision: 'ask', rule: `default: ${UNREADABLE}` });
  return verdicts;
}

const strictness: Readonly<Record<ToolDecision, number>> = { allow: 0, ask: 1, deny: 2 };

function strictest(verdicts: readonly ToolVerdict[]): ToolVerdict {
  let found: ToolVerdict = { decision: 'allow', rule: null };
  for (const one of verdicts) {
    const isStricter = strictness[one.decision] > strictness[found.decision];
    if (isStricter || (found.rule === null && one.decision === found.decision)) found = one;
  }
  return found;
}
