import { isOutside } from './folder.ts';
import { codeGiven, programOf, type SegmentWord } from './given-code.ts';
import { besideCommands } from './named-words.ts';
import type { Command, ParseShell, Redirect, Script, Statement, Word } from './script.ts';
import { commandsIn, statementsIn } from './walk.ts';
import { unwrap } from './wrappers.ts';

/** One simple command of a line, as rules about commands look at it. */
export interface Segment {
  /** Program first; what the line itself sets is filled in. */
  readonly words: readonly SegmentWord[];
  /** The same before `time`, `env` and their like were taken away, where they stood before it. */
  readonly typed: readonly SegmentWord[];
  /** Files that its redirects name, and the bodies of its here-documents. */
  readonly redirects: readonly string[];
  /** What it names beside its words: those files, and the values of variables that are set for it. */
  readonly named: readonly SegmentWord[];
  /** What the line names outside of its commands; the same list for all of them. */
  readonly beside: readonly SegmentWord[];
  /** Does it read what another command prints? */
  readonly isPipedInto: boolean;
  /** The input that the line itself prints for it, as far as it tells. */
  readonly input: readonly string[];
  /** Folders that the line changes to, in its order. */
  readonly entered: readonly SegmentWord[];
  /** False where the line changes to a folder that lies outside, or that only the shell knows. */
  readonly isInWorkspace: boolean;
  /** False where variables are set for it, or what runs it adds words of its own. */
  readonly isAsWritten: boolean;
}

/** Scripts inside of scripts are followed this deep. */
const DEEPEST = 6;

/** So many words may each begin the command that a carrier runs. */
const MOST_RESTS = 500;

/**
 * Every simple command that a line may run, whatever it is wrapped in: lists, substitutions,
 * functions, `bash -c`, `sudo`, `xargs`, `find -exec`. A redirect without a command opens its file
 * as well, so it is a command without words. Null: some of it can't be read.
 */
export function segmentsOf(parse: ParseShell, text: string, depth = 0): Segment[] | null {
  const script = parse(text);
  if (script.problem !== null || depth > DEEPEST) return null;
  const statements = statementsIn(script);
  const commands = statements.filter((statement) => statement.kind === 'command');
  const variables = variablesOf(statements);
  const isAsWritten = !commands.some(setsVariables);
  const bodies = bodiesFor(statements);
  const isInWorkspace = commands.every((command) => staysInside(command, variables));
  const entered = commands.flatMap((command) => entersFolder(command, variables) ?? []);
  const piped = pipedInto(statements);
  const beside = besideCommands(statements).map((word) => fill(word, variables));
  const segments: Segment[] = [];
  for (const command of commands) {
    const printed = piped.get(command) ?? null;
    const input = bodies.get(command) ?? [];
    const place = { isInWorkspace, entered, beside };
    const read = { variables, parse, depth, printed, isAsWritten, input, ...place };
    const found = readCommand(command, read);
    if (found === null) return null;
    segments.push(...found);
  }
  return segments;
}

interface SegmentContext {
  readonly variables: ReadonlyMap<string, string>;
  readonly parse: ParseShell;
  readonly depth: number;
  readonly isInWorkspace: boolean;
  readonly entered: readonly SegmentWord[];
  readonly beside: readonly SegmentWord[];
  /** The input through the pipe, as far as the line tells; null = it reads from none. */
  readonly printed: readonly string[] | null;
  readonly isAsWritten: boolean;
  /** The input of a group around the command. */
  readonly input: readonly Redirect[];
}

function readCommand(command: Command, reading: SegmentContext): Segment[] | null {
  const { printed, isInWorkspace, entered, beside, variables } = reading;
  const opened = command.redirects.map(({ target }) => fill(target, variables));
  const set = command.assignments.map(({ value }) => fill(value, variables));
  const { words: unwrapped, assignments } = unwrap(command.words);
  const isPlain = reading.isAsWritten && command.assignments.length + assignments.size === 0;
  const names = {
    redirects: opened.map(({ text }) => text),
    named: [...opened, ...set],
    beside,
    entered,
  };
  const place = { isPipedInto: printed !== null, input: printed ?? [], ...names };
  const typed = fillAll(command.words, variables);
  const rests = innermost(fillAll(unwrapped, variables));
  if (rests === null) return null;
  const segments: Segment[] = [];
  for (const { words, isWhole, isHere } of rests) {
    if (words[0]?.isFixed === false) return null;
    const own = { isInWorkspace: isInWorkspace && isHere, isAsWritten: isPlain && isWhole };
    const isFirst = segments.length === 0;
    segments.push({ words, typed: isFirst ? typed : words, ...place, ...own });
    const nested = nestedIn(words, command, { ...reading, ...own });
    if (nested === null) return null;
    segments.push(...nested);
  }
  return segments;
}

const declares = /^(export|declare|typeset|local|readonly)$/;
const reads = /^(read|mapfile|readarray|getopts|printf|unset)$/;

/** For what follows on the line, not for one command only. */
const setsVariables = ({ words: [first], assignments }: Command): boolean =>
  first === undefined ? assignments.length > 0 : declares.test(first.text);

/** Variables whose value the line itself tells, and tells once. */
function variablesOf(statements: readonly Statement[]): Map<string, string> {
  const variables = new Map<string, string>();
  const commands = statements.filter((statement) => statement.kind === 'command');
  const ambiguous = new Set(statements.flatMap(filledIn));
  for (const { name, value } of commands.filter(setsVariables).flatMap((one) => one.assignments)) {
    const isKnown = value.isFixed || value.text === '$!';
    if (!isKnown || (variables.has(name) && variables.get(name) !== value.text))
      ambiguous.add(name);
    variables.set(name, value.text);
  }
  for (const name of ambiguous) variables.delete(name);
  return variables;
}

/** Names whose value only the shell knows: those of loops, and what is read from somewhere. */
function filledIn(statement: Statement): string[] {
  if (statement.kind === 'for') return [statement.variable];
  if (statement.kind !== 'command' || !reads.test(statement.words[0]?.text ?? '')) return [];
  return statement.words.slice(1).map(({ text }) => text);
}

const reference = /\$(?:\{(\w+)\}|(\w+))/g;

function fill(word: Word, variables: ReadonlyMap<string, string>): SegmentWord {
  if (word.isFixed || word.substitutions.length > 0) return word;
  const text = word.text.replace(
    reference,
    (whole, braced: string | undefined, plain: string | undefined) =>
      variables.get(braced ?? plain ?? '') ?? whole,
  );
  return { text, isFixed: !/[$`*?[{~(]/.test(text) };
}

function fillAll(words: readonly Word[], variables: ReadonlyMap<string, string>): SegmentWord[] {
  return words.flatMap((word) => {
    const filled = fill(word, variables);
    const isSplit = !word.isFixed && filled.isFixed && /\s/.test(filled.text);
    if (!isSplit) return [filled];
    const pieces = filled.text.split(/\s+/).filter((piece) => piece !== '');
    return pieces.map((text) => ({ text, isFixed: true }));
  });
}

/** Programs that run what follows them, whatever flags stand between. */
const carriers = new Set(
  `sudo doas su run0 pkexec env command builtin exec nohup nice ionice setsid stdbuf time timeout
  xargs parallel watch strace ltrace flock chroot unshare bwrap busybox toybox script ssh npx pnpx
  bunx pnpm npm yarn bun docker podman nerdctl kubectl systemd-run caffeinate chronic setarch
  firejail proot fakeroot entr find fd uv poetry pipenv runuser sg sem`.split(/\s+/),
);

/** Carriers that add words of their own. */
const completing = /^(xargs|parallel|sem|entr|find|fd)$/;
/** Carriers whose command runs on another host or in another tree. */
const leaving = /^(ssh|mosh|docker|podman|nerdctl|kubectl|chroot)$/;

interface Inner {
  readonly words: readonly SegmentWord[];
  /** Neither words are added nor variables set by what stands before it, and it runs here. */
  readonly isWhole: boolean;
  readonly isHere: boolean;
}

/**
 * The words themselves, and behind a carrier every rest of them that may be the command it runs;
 * null = there are too many.
 */
function innermost(words: readonly SegmentWord[]): Inner[] | null {
  const carrier = programOf(words[0]);
  if (!carriers.has(carrier)) return [{ words, isWhole: true, isHere: true }];
  if (words.length > MOST_RESTS) return null;
  const rests = words
    .slice(1)
    .map((word, index) => ({
      word,
      before: words.slice(0, index + 1),
      rest: words.slice(index + 1),
    }))
    .filter(({ word }) => word.isFixed && !/^[-{]|=/.test(word.text))
    .map(({ before, rest }) => ({ words: rest, ...changedBy(before) }));
  return [{ words, isWhole: true, isHere: true }, ...rests];
}

function changedBy(before: readonly SegmentWord[]): Omit<Inner, 'words'> {
  const isHere = !before.some((word) => leaving.test(programOf(word)));
  const isChanged = before.some(
    (word) => completing.test(programOf(word)) || /^\w+=/.test(word.text),
  );
  return { isHere, isWhole: isHere && !isChanged };
}

/**
 * The code that its program is given to run, as far as the words hold it; null = it can't be read.
 */
function nestedIn(
  words: readonly SegmentWord[],
  { redirects }: Command,
  reading: SegmentContext,
): Segment[] | null {
  const { parse, depth } = reading;
  const scripts = codeGiven(words, [...redirects, ...reading.input]);
  if (scripts === null) return null;
  const { isHere, isWhole } = changedBy(words.slice(0, 1));
  const segments: Segment[] = [];
  for (const script of scripts) {
    const found = segmentsOf(parse, script, depth + 1);
    if (found === null) return null;
    segments.push(
      ...found.map((one) => ({
        ...one,
        entered: [...reading.entered, ...one.entered],
        isInWorkspace: reading.isInWorkspace && one.isInWorkspace && isHere,
        isAsWritten: reading.isAsWritten && one.isAsWritten && isWhole,
      })),
    );
  }
  return segments;
}

/** The input of the groups around commands, by command. */
function bodiesFor(statements: readonly Statement[]): Map<Command, readonly Redirect[]> {
  const bodies = new Map<Command, readonly Redirect[]>();
  for (const group of statements) {
    if (group.kind !== 'group') continue;
    const given = group.redirects.filter(({ operator }) => operator.startsWith('<'));
    if (given.length === 0) continue;
    for (const one of statementsIn({ problem: null, steps: group.steps })) {
      if (one.kind === 'command') bodies.set(one, [...(bodies.get(one) ?? []), ...given]);
    }
  }
  return bodies;
}

/** Commands that read from a pipe, with what the line itself prints into it. */
function pipedInto(statements: readonly Statement[]): Map<Command, readonly string[]> {
  const piped = new Map<Command, readonly string[]>();
  const add = (readers: readonly Command[], texts: readonly string[]) => {
    for (const one of readers) piped.set(one, [...(piped.get(one) ?? []), ...texts]);
  };
  for (const statement of statements) {
    if (statement.kind === 'command') add(behindOutput(statement), []);
    if (statement.kind !== 'pipeline') continue;
    const parts = statement.parts.map((part) => commandsIn(asScript(part)));
    for (const [index, readers] of parts.entries()) {
      if (index > 0) add(readers, parts.slice(0, index).flat().flatMap(printedBy));
    }
  }
  return piped;
}

const asScript = (statement: Statement): Script => ({
  problem: null,
  steps: [{ statement, isBackground: false }],
});

/** `tee >(sh)`: what it writes goes to the commands in there. */
const behindOutput = ({ words, redirects }: Command): Command[] =>
  [...words, ...redirects.map(({ target }) => target)]
    .filter(({ text }) => text.startsWith('>('))
    .flatMap(({ substitutions }) => substitutions.flatMap(commandsIn));

const printedBy = ({ words: [program, ...args], redirects }: Command): string[] => [
  ...(/^(echo|printf)$/.test(program?.text ?? '') ? args : []).map(({ text }) => text),
  ...redirects.filter(({ operator }) => operator.startsWith('<<')).map(({ target }) => target.text),
];

/** The folder to which a command leads; null = nowhere else. */
function entersFolder(
  { words }: Command,
  variables: ReadonlyMap<string, string>,
): SegmentWord | null {
  const [name, ...args] = fillAll(unwrap(words).words, variables);
  if (!/^(cd|pushd)$/.test(name?.text ?? '')) return null;
  return args.find(({ text }) => text === '-' || !text.startsWith('-')) ?? null;
}

function staysInside({ words }: Command, variables: ReadonlyMap<string, string>): boolean {
  const [name, ...args] = fillAll(unwrap(words).words, variables);
  if (!/^(cd|pushd|popd)$/.test(name?.text ?? '')) return true;
  const target = args.find(({ text }) => text === '-' || !text.startsWith('-'));
  if (target === undefined || !target.isFixed || target.text === '-') return false;
  return !isOutside(target.text) && !/(^|\/)\.\.(\/|$)/.test(target.text);
}
