import { z } from 'zod';
import { leftOut, shownIn } from './guarded.ts';
import { cutText } from './output.ts';
import { resolveInside } from './paths.ts';
import { ALL_MODES, defineTool, failed, refusingPaths, succeeded } from './results.ts';
import { runRipgrep } from './ripgrep.ts';
import type { ToolContext, ToolResult } from './tool.ts';

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
    'Searches the files of the workspace for a regular expression, without those that git ' +
    'ignores. Answers with path:line:text.',
  effect: 'read',
  modes: ALL_MODES,
  schema,
  run: (args, context) => refusingPaths(() => search(args, context)),
});

const FORMAT = ['--null', '--with-filename', '--line-number', '--no-heading'];
const LIMITS = ['--max-columns=400', '--max-columns-preview', '--max-filesize=20M'];

async function search(args: Arguments, context: ToolContext): Promise<ToolResult> {
  const path = await resolveInside(context.workspace.path, args.path ?? '.');
  if (path.kind === 'absent') return failed(`${path.relative} does not exist`);
  const root = (await resolveInside(context.workspace.path, '.')).absolute;
  const globs = [...(args.glob === undefined ? [] : [`--glob=${args.glob}`]), '--glob=!.git'];
  const run = await runRipgrep(
    [...FORMAT, ...LIMITS, ...globs, `--regexp=${args.pattern}`, '--', `./${path.relative}`],
    { cwd: root, maxLines: args.maxResults ?? 100, signal: context.signal },
  );
  if (run.exitCode === 2 && run.lines.length === 0) {
    return failed(`invalid search: ${run.errors.trim()}`);
  }
  const found = run.lines.map(split);
  const isShown = shownIn(context, path.relative);
  const shown = found.filter((match) => isShown(match.path));
  return present(shown, run.isCut, leftOut(found.length - shown.length));
}

interface Match {
  readonly path: string;
  readonly rest: string;
}

function split(line: string): Match {
  const [path = '', rest = ''] = line.split('\0');
  return { path: path.replace(/^(?:\.\/)+/, ''), rest };
}

function present(matches: readonly Match[], isCut: boolean, hidden: string): ToolResult {
  if (matches.length === 0) return succeeded(`No matches.${hidden}`);
  const note = (isCut ? '\n(there is more; narrow the pattern, path or glob)' : '') + hidden;
  const text = matches.map(({ path, rest }) => `${path}:${rest}`).join('\n') + note;
  const reads = [...new Set(matches.map(({ path }) => path))];
  return succeeded(cutText(text, 'narrow the pattern, path or glob'), { reads });
}
