import type { CoveredCalls } from '../../schema/stored-rule.ts';
import type { Command, ParseShell } from '../shell/read/script.ts';

/** Tools whose question is about a place: what is read or written there is not compared. */
const OF_PLACES: ReadonlySet<string> = new Set([
  'read_file',
  'write_file',
  'edit_file',
  'list_files',
  'grep_search',
]);

/** Asks for an agent's own calls, which only a command names whole. */
const OF_AGENTS = 'agent_permission';

/** Characters of a rule that a person is shown: longer ones are not offered. */
const MOST_SHOWN = 4000;

/**
 * What a rule would say that lets a call run as it was asked about, and nothing wider; null where
 * no rule of a few lines says it.
 */
export function coverageOf(tool: string, args: unknown): CoveredCalls | null {
  const given = isRecord(args) ? args : {};
  const covers = tool === OF_AGENTS ? ofAgent(given) : ofTool(tool, given);
  return covers !== null && JSON.stringify(covers).length <= MOST_SHOWN ? covers : null;
}

type Given = Readonly<Record<string, unknown>>;

function ofAgent({ tool, command, cwd }: Given): CoveredCalls | null {
  const isCommand = tool === 'run_command' && isText(command);
  return isCommand ? ofTool(tool, { command, cwd }) : null;
}

function ofTool(tool: string, given: Given): CoveredCalls | null {
  const { command, cwd, path } = given;
  if (tool === 'run_command') {
    return isText(command) ? { tool, command, cwd: plainPath(isText(cwd) ? cwd : '.') } : null;
  }
  if (OF_PLACES.has(tool)) return isText(path) ? { tool, path: plainPath(path) } : null;
  return { tool, arguments: { ...given } };
}

export interface CallFacts {
  readonly parse: ParseShell;
  /** Where a path leads through links, relative to the workspace; null where it leads out. */
  readonly resolved: (path: string) => string | null;
}

/** Whether a rule lets this call run: the same call, in the same place, through no link. */
export function covers(rule: CoveredCalls, call: CoveredCalls | null, facts: CallFacts): boolean {
  if (call === null || rule.tool !== call.tool) return false;
  if ('command' in rule) {
    return (
      'command' in call &&
      isPlace(rule.cwd, call.cwd, facts) &&
      isSameCommand(rule.command, call.command, facts.parse)
    );
  }
  if ('path' in rule) return 'path' in call && isPlace(rule.path, call.path, facts);
  return 'arguments' in call && canonical(rule.arguments) === canonical(call.arguments);
}

/** A link that a goal made meanwhile is another place under the same name. */
const isPlace = (rule: string, call: string, { resolved }: CallFacts): boolean =>
  rule === call && plainPath(resolved(call) ?? '..') === rule;

/**
 * The same text, or one plain command with the same words as the shell reads them: quotes that
 * change nothing make no other command, and neither does a list of the same words. Whatever the
 * shell fills in, joins or redirects is compared by its text.
 */
export function isSameCommand(one: string, other: string, parse: ParseShell): boolean {
  if (one.trim() === other.trim()) return true;
  const [words, others] = [plainWords(one, parse), plainWords(other, parse)];
  return words !== null && others !== null && canonical(words) === canonical(others);
}

function plainWords(line: string, parse: ParseShell): string[] | null {
  const { problem, steps } = parse(line);
  const [step] = steps;
  if (problem !== null || step === undefined || steps.length > 1 || step.isBackground) return null;
  return step.statement.kind === 'command' ? wordsOf(step.statement) : null;
}

function wordsOf({ assignments, words, redirects }: Command): string[] | null {
  const isPlain =
    assignments.length + redirects.length === 0 &&
    words.every(({ isFixed, substitutions }) => isFixed && substitutions.length === 0);
  const texts = words.map(({ text }) => text);
  // A word of the shell's grammar means something else in quotes.
  return isPlain && /^[\w./@+-]+$/.test(texts[0] ?? '') ? texts : null;
}

/** One line for people: the tool, and what else has to be the same. Signs that aren't seen are marks. */
export const coverageText = (covered: CoveredCalls): string =>
  wordsOfCoverage(covered).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });

function wordsOfCoverage(covered: CoveredCalls): string {
  if ('command' in covered) {
    const { command, cwd } = covered;
    return `${covered.tool} ${JSON.stringify(command)}${cwd === '.' ? '' : ` in ${cwd}`}`;
  }
  if ('path' in covered) return `${covered.tool} on ${covered.path}`;
  return `${covered.tool} with ${canonical(covered.arguments)}`;
}

const plainPath = (path: string): string =>
  path.replace(/^(\.\/+)+/, '').replace(/\/+$/, '') || '.';

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isRecord = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Equal for equal values, in whatever order their fields were written. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    isRecord(one)
      ? Object.fromEntries(
          Object.entries(one)
            .filter(([, part]) => part !== undefined)
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : one,
  );
