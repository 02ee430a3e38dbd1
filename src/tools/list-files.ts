import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { MARKER_FILE, resolveInside, type SafePath } from '../workspace/paths.ts';
import { namesInResolvedFolder } from '../workspace/regular-file.ts';
import { shownPath } from '../workspace/shown-path.ts';
import { leftOut, shownIn } from './guarded.ts';
import { globProblem, isWanted } from './name-glob.ts';
import { cutText } from './output.ts';
import { ALL_MODES, defineTool, failed, refusingPaths, succeeded } from './results.ts';
import { type RipgrepRun, walkWithRipgrep, whyNoAnswer } from './ripgrep.ts';
import type { ToolContext, ToolResult } from './tool.ts';

const MAX_SHOWN = 1000;
const MAX_FOUND = 100_000;
/** Git's files and the host's own are not listed. */
const LEFT_OUT = ['--glob=!.git', `--glob=!${MARKER_FILE}`, '--glob=!.goalkeeper-*.tmp'];

const schema = z.strictObject({
  path: z.string().min(1).max(4096).optional().describe('Folder; the workspace unless told'),
  glob: z.string().min(1).max(500).optional().describe('Such as **/*.ts or *.md'),
});

type Arguments = z.infer<typeof schema>;

export const listFilesTool = defineTool<Arguments>({
  name: 'list_files',
  description:
    'Lists the files of the workspace or of one of its folders, without those that git ignores.',
  effect: 'read',
  modes: ALL_MODES,
  schema,
  run: (args, context) => refusingPaths(() => list(args, context)),
});

async function list(args: Arguments, context: ToolContext): Promise<ToolResult> {
  const path = await resolveInside(context.workspace.path, args.path ?? '.');
  if (path.kind === 'absent') return failed(`${path.relative} does not exist`);
  if (path.kind === 'file') return succeeded(path.relative, { reads: [path.relative] });
  const { glob } = args;
  const problem = globProblem(glob);
  if (problem !== null) return failed(problem);
  const { absolute: root } = await resolveInside(context.workspace.path, '.');
  const run = await walkWithRipgrep(['--files', '--null', ...LEFT_OUT], {
    root,
    cwd: path.absolute,
    maxRecords: MAX_FOUND,
    takeRecord,
    signal: context.signal,
  });
  const prefix = path.relative === '.' ? '' : `${path.relative}/`;
  const isShown = shownIn(context, path.relative);
  const all = run.records.filter((name) => isWanted(glob, prefix + name, path.relative));
  const found = all.filter((name) => isShown(prefix + name));
  const hidden = leftOut(all.length - found.length);
  return present(run, { found, hidden, folder: path, prefix });
}

function takeRecord(text: string): { record: string; rest: string } | null {
  const end = text.indexOf('\0');
  return end === -1 ? null : { record: text.slice(0, end), rest: text.slice(end + 1) };
}

interface FoundNames {
  /** Paths relative to the folder. */
  readonly found: readonly string[];
  readonly hidden: string;
  readonly folder: SafePath;
  readonly prefix: string;
}

function present(run: RipgrepRun, { found, hidden, folder, prefix }: FoundNames): ToolResult {
  const why = whyNoAnswer(run);
  if (why !== null) return failed(`listing failed: ${why}`);
  const first = found.slice(0, MAX_SHOWN);
  const shown = stillInside(folder.absolute, first).map((name) => shownPath(prefix + name));
  const left = found.length - first.length;
  const notes = [
    ...(shown.length === 0 ? ['No files.'] : []),
    ...(left > 0 ? [`(${left} more; name a folder or a glob)`] : []),
    ...(run.cut === null ? [] : [`(not looked through to the end: ${WHY_CUT[run.cut]})`]),
  ];
  const text = cutText([...shown, ...notes].join('\n') + hidden, 'name a folder or a glob');
  return succeeded(text, { reads: [folder.relative] });
}

/** The walk may have followed a link that replaced a folder for a moment. */
function stillInside(root: string, names: readonly string[]): string[] {
  const standing = new Map<string, ReadonlySet<string>>();
  return names.filter((name) => {
    const folder = dirname(name);
    const known = standing.get(folder) ?? new Set(namesInResolvedFolder(join(root, folder)));
    standing.set(folder, known);
    return known.has(basename(name));
  });
}

const WHY_CUT = {
  records: `there are more than ${MAX_FOUND} files; name a folder`,
  time: 'it took too long; name a folder',
  bytes: 'the names are too long; name a folder',
};
