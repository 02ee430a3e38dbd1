import { join } from 'node:path';
import { z } from 'zod';
import { resolveInside } from '../workspace/paths.ts';
import { shownPath } from '../workspace/shown-path.ts';
import { readTextFile } from '../workspace/text-file.ts';
import { leftOut, shownIn } from './guarded.ts';
import { cutText } from './output.ts';
import { ALL_MODES, defineTool, failed, refusingPaths, succeeded } from './results.ts';
import { type RipgrepRun, runRipgrep } from './ripgrep.ts';
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
/** Longer lines are cut here; what is shown of them is cut once more, behind the masks. */
const LONG_LINES = ['--max-columns=16384', '--max-columns-preview'];

async function search(args: Arguments, context: ToolContext): Promise<ToolResult> {
  if (/\0/.test(args.pattern + (args.glob ?? '')))
    return failed('pattern and glob hold no NUL byte');
  const path = await resolveInside(context.workspace.path, args.path ?? '.');
  if (path.kind === 'absent') return failed(`${path.relative} does not exist`);
  const { absolute: root } = await resolveInside(context.workspace.path, '.');
  const isFile = path.kind === 'file';
  const globs = [...(args.glob === undefined ? [] : [`--glob=${args.glob}`]), '--glob=!.git'];
  const scope = isFile ? [] : ['--max-filesize=20M', ...globs];
  const run = await runRipgrep(
    [...FORMAT, ...LONG_LINES, ...scope, `--regexp=${args.pattern}`, '--', `./${path.relative}`],
    {
      root,
      cwd: root,
      maxRecords: args.maxResults ?? 100,
      takeRecord,
      signal: context.signal,
    },
  );
  if (run.exitCode === 2 && run.records.length === 0) {
    return failed(`invalid search: ${run.errors.trim()}`);
  }
  const found = run.records.map(split);
  const isShown = shownIn(context, path.relative);
  const shown = found.filter((match) => isShown(match.path));
  const hidden = leftOut(found.length - shown.length);
  const matches = await withoutKeys(shown, root, context);
  return present(matches, run.cut, hidden, context.mask ?? ((text) => text));
}

/** Instead of a line, where a file turned out to be none of text; it may go on with other files. */
const BINARY = /^([^\0]*?): binary file matches \(found [^\n]*\)\n/;
/** The path ends with a NUL: it may hold line feeds itself. */
const MATCH = /^([^\0]*)\0(\d+:[^\n]*)\n/;

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

function split(record: string): Match {
  const end = record.indexOf('\0');
  return { path: record.slice(0, end).replace(/^(?:\.\/)+/, ''), rest: record.slice(end + 1) };
}

/** A line of a private key tells nothing of the key around it: its file is asked. */
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
