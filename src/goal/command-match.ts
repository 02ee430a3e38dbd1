/** One simple command of a line, and the operator that follows it. */
interface Segment {
  readonly words: readonly string[];
  readonly then: Operator;
}

type Operator = '&&' | '||' | ';' | '|' | '&' | 'end';

export interface RanCommand {
  readonly command: string;
  /** Relative to the workspace; absent = its root. */
  readonly cwd?: string | undefined;
  /** The step declared that this command should fail, so nothing in it masks the proof. */
  readonly expectFailure?: boolean | undefined;
}

/**
 * Does a command that ran show what a cited command line says? Where it ran, quoting, order of
 * flags, pipe tails, comments and environment prefixes don't matter; tokens that only the citation
 * has do, and so do extra tokens of the run unless they change nothing but its output.
 */
export function commandMatches(cited: string, ran: RanCommand): boolean {
  const claim = parse(cited);
  const run = parse(ran.command);
  if (claim.length === 0 || claim.some((segment) => isMasking(segment.then)))
    return sameText(cited, ran);
  const folder = folderOf(claim, '');
  if (folder !== '' && folder !== folderOf(run, ran.cwd ?? '')) return false;
  const proven = ran.expectFailure === true ? heads(run) : provenSegments(run);
  return isSubsequence(heads(claim), proven);
}

function sameText(cited: string, ran: RanCommand): boolean {
  return ran.expectFailure === true && cited.trim() === ran.command.trim();
}

function isMasking(operator: Operator): boolean {
  return operator === '||' || operator === '&';
}

/** The commands whose success the line's own exit code implies. */
function provenSegments(run: readonly Segment[]): string[][] {
  if (run.some((segment) => isMasking(segment.then) || isTampering(segment.words))) return [];
  const lastBreak = run.findLastIndex((segment) => segment.then === ';');
  return heads(run.slice(lastBreak + 1));
}

const restoring = /^git (stash|checkout|restore|reset|switch|clean|revert|apply)\b/;

/** Changes the workspace or the shell around a check, so that the line proves nothing. */
function isTampering(words: readonly string[]): boolean {
  const text = words.join(' ');
  return restoring.test(text) || /^(mv|patch|trap|alias|eval)\b/.test(text) || /^set \+/.test(text);
}

/** First command of every pipeline, without `cd`. */
function heads(segments: readonly Segment[]): string[][] {
  return segments
    .filter((_, index) => segments[index - 1]?.then !== '|')
    .map((segment) => withoutPrefix(segment.words))
    .filter((words) => words.length > 0 && words[0] !== 'cd');
}

function folderOf(segments: readonly Segment[], start: string): string {
  return segments
    .filter((segment) => segment.words[0] === 'cd')
    .reduce((folder, segment) => joinFolder(folder, segment.words[1] ?? ''), joinFolder('', start));
}

function joinFolder(base: string, folder: string): string {
  const parts = folder.startsWith('/') ? [''] : base === '' ? [] : base.split('/');
  for (const part of folder.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

const assignment = /^[A-Za-z_]\w*=/;

/** Drops environment assignments and wrappers that only time or limit the command. */
function withoutPrefix(words: readonly string[]): string[] {
  const [first, second] = words;
  if (first === undefined) return [];
  if (assignment.test(first)) return withoutPrefix(words.slice(1));
  if (['env', 'time', 'command'].includes(first)) return withoutPrefix(words.slice(1));
  if (first === 'timeout' && /^\d/.test(second ?? '')) return withoutPrefix(words.slice(2));
  return [...words];
}

function isSubsequence(claim: readonly string[][], proven: readonly string[][]): boolean {
  let next = 0;
  for (const words of proven) {
    const wanted = claim[next];
    if (wanted !== undefined && sameCommand(wanted, words)) next += 1;
  }
  return claim.length > 0 && next === claim.length;
}

/** Flags that change what is printed and nothing else. */
const outputOnly =
  /^(--silent|--verbose|--quiet|-q|-v{1,3}|--(no-)?colors?|--reporter=\S+|--tb=\S+|--color=\S+)$/;

function sameCommand(cited: readonly string[], ran: readonly string[]): boolean {
  if (cited[0] !== ran[0]) return false;
  const rest = ran.slice(1);
  for (const word of cited.slice(1)) {
    const index = rest.indexOf(word);
    if (index < 0) return false;
    rest.splice(index, 1);
  }
  return rest.every((word) => outputOnly.test(word));
}

const token =
  /(?<space>[ \t]+|\\\n)|(?<comment>(?<![^\s;&|])#[^\n]*)|(?<redirect>\d*>&\d|&>>?\s*\S+|\d*>>?\s*[^\s;&|]+|\d*<\s*[^\s;&|]+)|(?<operator>&&|\|\||\|&|[;&|\n()])|(?<word>(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s;&|()'"\\])+)|(?<stray>.)/gsu;

function parse(line: string): Segment[] {
  const segments: Segment[] = [];
  let words: string[] = [];
  const close = (then: Operator) => {
    if (words.length > 0) segments.push({ words, then });
    words = [];
  };
  for (const { groups } of line.matchAll(token)) {
    if (groups?.operator !== undefined) close(operatorOf(groups.operator));
    else if (groups?.word !== undefined) words.push(unquote(groups.word));
    // An unclosed quote is no command that could be compared.
    else if (groups?.stray !== undefined) words.push(`\0${groups.stray}`);
  }
  close('end');
  return segments;
}

function operatorOf(text: string): Operator {
  if (text === '&&' || text === '||' || text === '&') return text;
  return text.startsWith('|') ? '|' : ';';
}

function unquote(word: string): string {
  return word.replace(
    /\\(.)|'([^']*)'|"((?:\\.|[^"\\])*)"/gs,
    (_, escaped, single, double) =>
      escaped ?? single ?? String(double).replace(/\\(["\\$`])/g, '$1'),
  );
}
