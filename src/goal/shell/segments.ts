import { isOutside } from './folder.ts';
import type { Command, ParseShell, Script, Statement, Step, Word } from './script.ts';
import { statementsIn } from './walk.ts';
import { unwrap } from './wrappers.ts';

/** One simple command of a line, as rules about commands look at it. */
export interface Segment {
  /** Program first; what the line itself sets is filled in. */
  readonly words: readonly SegmentWord[];
  /** Files that its redirects name, and the bodies of its here-documents. */
  readonly redirects: readonly string[];
  /** Does it read what another command prints? */
  readonly isPipedInto: boolean;
  /** False where the line changes to a folder that lies outside, or that only the shell knows. */
  readonly isInWorkspace: boolean;
}

export interface SegmentWord {
  readonly text: string;
  /** False where the shell decides at run time. */
  readonly isFixed: boolean;
}

/** Scripts inside of scripts are followed this deep. */
const DEEPEST = 6;

/**
 * Every simple command that a line may run, whatever it is wrapped in: lists, substitutions,
 * functions, `bash -c`, `sudo`, `xargs`, `find -exec`. Null: some of it can't be read.
 */
export function segmentsOf(parse: ParseShell, text: string, depth = 0): Segment[] | null {
  const script = parse(text);
  if (script.problem !== null || depth > DEEPEST) return null;
  const statements = statementsIn(script);
  const commands = statements.filter((statement) => statement.kind === 'command');
  const variables = variablesOf(commands);
  const isInWorkspace = commands.every((command) => staysInside(command, variables));
  const piped = new Set(statements.flatMap(fedBy));
  const segments: Segment[] = [];
  for (const command of commands) {
    const isPipedInto = piped.has(command);
    const read = { variables, parse, depth, isInWorkspace, isPipedInto };
    const found = readCommand(command, read);
    if (found === null) return null;
    segments.push(...found);
  }
  return segments;
}

interface Reading {
  readonly variables: ReadonlyMap<string, string>;
  readonly parse: ParseShell;
  readonly depth: number;
  readonly isInWorkspace: boolean;
  readonly isPipedInto: boolean;
}

function readCommand(command: Command, reading: Reading): Segment[] | null {
  const { isPipedInto, isInWorkspace, variables } = reading;
  const redirects = command.redirects.map(({ target }) => fill(target, variables).text);
  const words = fillAll(unwrap(command.words).words, variables);
  const segments: Segment[] = [];
  for (const inner of innermost(words)) {
    if (inner[0]?.isFixed === false) return null;
    segments.push({ words: inner, redirects, isPipedInto, isInWorkspace });
    const nested = nestedIn(inner, command, reading);
    if (nested === null) return null;
    segments.push(...nested);
  }
  return segments;
}

/** Variables whose value the line itself tells, and tells once. */
function variablesOf(commands: readonly Command[]): Map<string, string> {
  const variables = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const { name, value } of commands.flatMap(({ assignments }) => assignments)) {
    const isKnown = value.isFixed || value.text === '$!';
    if (!isKnown || (variables.has(name) && variables.get(name) !== value.text))
      ambiguous.add(name);
    variables.set(name, value.text);
  }
  for (const name of ambiguous) variables.delete(name);
  return variables;
}

const reference = /\$(?:\{(\w+)\}|(\w+))/g;

function fill(word: Word, variables: ReadonlyMap<string, string>): SegmentWord {
  if (word.isFixed || word.substitutions.length > 0) return word;
  const text = word.text.replace(
    reference,
    (whole, braced: string | undefined, plain: string | undefined) =>
      variables.get(braced ?? plain ?? '') ?? whole,
  );
  return { text, isFixed: !/[$`*?[{~]/.test(text) };
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
  firejail proot fakeroot entr find fd uv poetry pipenv`.split(/\s+/),
);

export const programOf = (word: SegmentWord | undefined): string =>
  (word?.text ?? '').replace(/^.*\//, '');

/** The words themselves, and behind a carrier every rest of them that may be the command it runs. */
function innermost(words: readonly SegmentWord[]): (readonly SegmentWord[])[] {
  if (words.length === 0) return [];
  if (!carriers.has(programOf(words[0]))) return [words];
  const rests = words
    .slice(1)
    .map((word, index) => ({ word, rest: words.slice(index + 1) }))
    .filter(({ word }) => word.isFixed && !/^[-{]|=/.test(word.text))
    .map(({ rest }) => rest);
  return [words, ...rests];
}

const shells = /^(ba|da|z|k|a|fi|c|tc)?sh$/;

export const isShell = (word: SegmentWord | undefined): boolean => shells.test(programOf(word));

/** What a shell is given to run, as far as its words hold it; null = it can't be read. */
function nestedIn(
  words: readonly SegmentWord[],
  { redirects }: Command,
  reading: Reading,
): Segment[] | null {
  const { parse, depth } = reading;
  const name = programOf(words[0]);
  const scripts: string[] = [];
  if (name === 'eval')
    scripts.push(
      words
        .slice(1)
        .map(({ text }) => text)
        .join(' '),
    );
  if (isShell(words[0]) || name === 'su') {
    const at = words.findIndex(({ text }) => /^-[a-z]*c$|^--command$/.test(text));
    const code = at < 0 ? undefined : words[at + 1];
    if (code?.isFixed === false && /^[$`]/.test(code.text)) return null;
    if (code !== undefined) scripts.push(code.text);
    else if (words.slice(1).some(({ isFixed }) => !isFixed)) return null;
    for (const { operator, target } of redirects) {
      if (operator.startsWith('<<')) scripts.push(target.text);
    }
  }
  const segments: Segment[] = [];
  for (const script of scripts) {
    const found = segmentsOf(parse, script, depth + 1);
    if (found === null) return null;
    segments.push(
      ...found.map((one) => ({
        ...one,
        isInWorkspace: reading.isInWorkspace && one.isInWorkspace,
      })),
    );
  }
  return segments;
}

/** Commands that read from a pipe. */
function fedBy(statement: Statement): Command[] {
  if (statement.kind !== 'pipeline') return [];
  const asScript = (one: Statement): Script => ({ problem: null, steps: [stepOf(one)] });
  return statement.parts
    .slice(1)
    .flatMap((part) => statementsIn(asScript(part)))
    .filter((one) => one.kind === 'command');
}

const stepOf = (statement: Statement): Step => ({ statement, isBackground: false });

function staysInside({ words }: Command, variables: ReadonlyMap<string, string>): boolean {
  const [name, ...args] = fillAll(unwrap(words).words, variables);
  if (!/^(cd|pushd|popd)$/.test(name?.text ?? '')) return true;
  const target = args.find(({ text }) => text === '-' || !text.startsWith('-'));
  if (target === undefined || !target.isFixed || target.text === '-') return false;
  return !isOutside(target.text) && !/(^|\/)\.\.(\/|$)/.test(target.text);
}
