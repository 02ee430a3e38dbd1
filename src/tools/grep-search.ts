import { closeSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PathRefused, resolveInside } from '../workspace/paths.ts';
import { type OpenFile, openResolvedFile } from '../workspace/regular-file.ts';
import { shownPath } from '../workspace/shown-path.ts';
import { looksBinary, readTextFile } from '../workspace/text-file.ts';
import { leftOut, shownIn } from './guarded.ts';
import { globProblem, isWanted } from './name-glob.ts';
import { cutText } from './output.ts';
import { ALL_MODES, defineTool, failed, refusingPaths, succeeded } from './results.ts';
import {
  openedPath,
  type RipgrepRun,
  searchOpened,
  walkWithRipgrep,
  whyNoAnswer,
} from './ripgrep.ts';
import type { ToolContext, ToolResult } from './tool.ts';

const MAX_LINE = 400;

const schema = z.strictObject({
  pattern: z.string().min(1).max(2000).describe('Regular expression, in ripgrep (Rust) syntax'),
  path: z.string().min(1).max(4096).optional().describe('File or folder to search in'),
  glob: z.string().min(1).max(500).optional().describe('Only files like this, such as *.ts'),
  maxResults: z.int().min(1).max(1000).optional().describe('Most lines; 100 unless told'),
});

type Arguments = z.infer<typeof schema>;

export const grepSearchTool = defineTool<Arguments>({
  name: 'grep_search',
  description:
    'Searches the text files of the workspace line by line for a regular expression, hidden ones ' +
    'included, without those that git ignores and, unless path names one, those above 20 MB. ' +
    'Answers with path:line:text.',
  effect: 'read',
  modes: ALL_MODES,
  schema,
  run: (args, context) => refusingPaths(() => search(args, context)),
});

const FORMAT = ['--null', '--with-filename', '--line-number', '--no-heading'];
/** Longer lines are cut here, and the shown part is cut again after masking. */
const LONG_LINES = ['--max-columns=16384', '--max-columns-preview'];
const MAX_FILES = 100_000;
const PATIENCE_MS = 30_000;

async function search(args: Arguments, context: ToolContext): Promise<ToolResult> {
  if (args.pattern.includes('\0')) return failed('the pattern holds no NUL byte');
  const problem = globProblem(args.glob);
  if (problem !== null) return failed(problem);
  const path = await resolveInside(context.workspace.path, args.path ?? '.');
  if (path.kind === 'absent') return failed(`${path.relative} does not exist`);
  const { absolute: root } = await resolveInside(context.workspace.path, '.');
  const options = {
    root,
    pattern: args.pattern,
    maxRecords: args.maxResults ?? 100,
    deadline: performance.now() + PATIENCE_MS,
    signal: context.signal,
  };
  const walk = path.kind === 'file' ? null : await walkForNames(path.relative, args.glob, options);
  if (walk?.failure) return failed(walk.failure);
  const run = await searchNamed(walk?.names ?? [path.relative], {
    ...options,
    open: walk === null ? openNamed : openWalked,
  });
  if (run.failure !== null) return failed(run.failure);
  const isShown = shownIn(context, path.relative);
  const shown = run.matches.filter((match) => isShown(match.path));
  const hidden = leftOut(run.matches.length - shown.length);
  const matches = await withoutKeys(shown, root, context);
  return present(matches, run.cut ?? walk?.cut ?? null, hidden, context.mask ?? ((text) => text));
}

interface SearchOptions {
  readonly root: string;
  readonly pattern: string;
  readonly maxRecords: number;
  /** By `performance.now()`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** Files' content is not read, because a link may have led the walk elsewhere. */
async function walkForNames(
  folder: string,
  glob: string | undefined,
  { root, deadline, signal }: SearchOptions,
): Promise<{ names: readonly string[]; cut: RipgrepRun['cut']; failure: string | null }> {
  const run = await walkWithRipgrep(['--files', '--null', '--glob=!.git', '--', `./${folder}`], {
    root,
    cwd: root,
    maxRecords: MAX_FILES,
    takeRecord: takeName,
    timeoutMs: deadline - performance.now(),
    signal,
  });
  const names = run.records
    .map((name) => name.replace(/^(?:\.\/)+/, ''))
    .filter((name) => isWanted(glob, name, folder));
  return { names, cut: run.cut, failure: failureOf(run) };
}

interface Found {
  readonly matches: readonly Match[];
  readonly cut: RipgrepRun['cut'];
  readonly failure: string | null;
}

interface OpeningOptions extends SearchOptions {
  /** Null if the file is not searched. */
  readonly open: (root: string, name: string) => OpenFile | null;
}

/** The most files open at once for one search process. */
const MOST_OPEN = 400;

/** Only files that were opened inside the workspace are searched. */
async function searchNamed(names: readonly string[], options: OpeningOptions): Promise<Found> {
  const matches: Match[] = [];
  let at = 0;
  do {
    const maxRecords = options.maxRecords - matches.length;
    const batch = names.slice(at, at + MOST_OPEN);
    const run = await searchBatch(batch, { ...options, maxRecords });
    matches.push(...run.matches);
    if (run.failure !== null || run.cut !== null) return { ...run, matches };
    at += MOST_OPEN;
  } while (at < names.length);
  return { matches, cut: null, failure: null };
}

async function searchBatch(
  names: readonly string[],
  { root, pattern, maxRecords, deadline, signal, open }: OpeningOptions,
): Promise<Found> {
  const opened: { name: string; descriptor: number }[] = [];
  try {
    for (const name of names) {
      const file = open(root, name);
      if (file !== null) opened.push({ name, descriptor: file.descriptor });
    }
    const run = await searchOpened(
      [...FORMAT, ...LONG_LINES, `--regexp=${pattern}`],
      opened.map(({ descriptor }) => descriptor),
      { maxRecords, takeRecord, timeoutMs: deadline - performance.now(), signal },
    );
    const nameOf = new Map(opened.map(({ name }, place) => [openedPath(place), name]));
    const matches = run.records.map((record) => split(record, nameOf));
    return { matches, cut: run.cut, failure: failureOf(run) };
  } finally {
    for (const { descriptor } of opened) closeSync(descriptor);
  }
}

/** @throws PathRefused */
function openNamed(root: string, name: string): OpenFile | null {
  try {
    return openResolvedFile(join(root, name));
  } catch (error) {
    if (error instanceof PathRefused) throw error;
    throw new PathRefused(name, `can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** A file from the walk may be gone, lead elsewhere by now, or be of no kind to search. */
function openWalked(root: string, name: string): OpenFile | null {
  try {
    const file = openResolvedFile(join(root, name));
    if (file === null || isSearched(file)) return file;
    closeSync(file.descriptor);
    return null;
  } catch (error) {
    if (['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return null;
  }
}

const MAX_WALKED_BYTES = 20 * 1024 * 1024;
const beginning = Buffer.alloc(4096);

function isSearched({ descriptor, bytes }: OpenFile): boolean {
  if (bytes > MAX_WALKED_BYTES) return false;
  const read = readSync(descriptor, beginning, 0, beginning.length, 0);
  return !looksBinary(beginning.subarray(0, read));
}

function failureOf(run: RipgrepRun): string | null {
  const why = whyNoAnswer(run);
  return why === null ? null : `invalid search: ${why}`;
}

function takeName(text: string): { record: string; rest: string } | null {
  const end = text.indexOf('\0');
  return end === -1 ? null : { record: text.slice(0, end), rest: text.slice(end + 1) };
}

/** ripgrep prints this instead of a line for a binary file and goes on with other files. */
const BINARY = /^([^\0\n]*): binary file matches \(found [^\n]*\)\n/;
const MATCH = /^([^\0\n]*)\0(\d+:[^\n]*)\n/;

function takeRecord(text: string): { record: string; rest: string } | null {
  const binary = BINARY.exec(text);
  if (binary !== null) {
    return { record: `${binary[1]}\0(a binary file)`, rest: text.slice(binary[0].length) };
  }
  const match = MATCH.exec(text);
  if (match === null) return null;
  return { record: `${match[1]}\0${match[2]}`, rest: text.slice(match[0].length) };
}

interface Match {
  readonly path: string;
  readonly rest: string;
}

function split(record: string, nameOf: ReadonlyMap<string, string>): Match {
  const end = record.indexOf('\0');
  return { path: nameOf.get(record.slice(0, end)) ?? '', rest: record.slice(end + 1) };
}

/** A single line doesn't show that it belongs to a private key, so its file is checked. */
const PART_OF_KEY = /^(\d+):[ \t]*[A-Za-z0-9+/]{16,}={0,2}[ \t]*\r?$/;

async function withoutKeys(
  matches: readonly Match[],
  root: string,
  { maskLines }: ToolContext,
): Promise<readonly Match[]> {
  if (maskLines === undefined) return matches;
  const texts = new Map<string, readonly string[]>();
  const shown: Match[] = [];
  for (const match of matches) {
    const line = PART_OF_KEY.exec(match.rest)?.[1];
    if (line !== undefined && !texts.has(match.path)) {
      const file = await readTextFile(join(root, match.path), match.path).catch(() => null);
      texts.set(match.path, file?.ok ? maskLines(file.text).split('\n') : []);
    }
    const masked = line === undefined ? undefined : texts.get(match.path)?.[Number(line) - 1];
    shown.push(masked === undefined ? match : { ...match, rest: `${line}:${masked}` });
  }
  return shown;
}

function present(
  matches: readonly Match[],
  cut: RipgrepRun['cut'],
  hidden: string,
  mask: (text: string) => string,
): ToolResult {
  const lines = matches.map(({ path, rest }) => `${shownPath(path)}:${shortened(mask(rest))}`);
  const notes = cut === null ? [] : [`(${WHY_CUT[cut]}; narrow the pattern, path or glob)`];
  const shown = [
    ...(lines.length === 0 ? [cut === null ? 'No matches.' : 'No matches so far.'] : lines),
    ...notes,
  ].join('\n');
  const text = shown + hidden;
  const reads = [...new Set(matches.map(({ path }) => path))];
  return succeeded(cutText(text, 'narrow the pattern, path or glob'), { reads });
}

const WHY_CUT = {
  records: 'there is more',
  time: 'it was stopped before the end because it took too long',
  bytes: 'it was stopped because it printed too much',
};

function shortened(line: string): string {
  const text = line.replace(/\r$/, '');
  return text.length <= MAX_LINE ? text : `${text.slice(0, MAX_LINE)}… (line cut)`;
}
