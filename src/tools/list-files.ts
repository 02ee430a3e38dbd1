import picomatch from 'picomatch';
import { z } from 'zod';
import { leftOut, shownIn } from './guarded.ts';
import { cutText } from './output.ts';
import { MARKER_FILE, resolveInside } from './paths.ts';
import { ALL_MODES, defineTool, failed, refusingPaths, succeeded } from './results.ts';
import { runRipgrep } from './ripgrep.ts';
import type { ToolContext, ToolResult } from './tool.ts';

const MAX_SHOWN = 1000;
const MAX_FOUND = 100_000;

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
  const run = await runRipgrep(['--files', '--glob=!.git', `--glob=!${MARKER_FILE}`], {
    cwd: path.absolute,
    maxLines: MAX_FOUND,
    signal: context.signal,
  });
  const prefix = path.relative === '.' ? '' : `${path.relative}/`;
  const isShown = shownIn(context, path.relative);
  const all = matching(run.lines, args.glob);
  const found = all.filter((name) => isShown(prefix + name));
  const hidden = leftOut(all.length - found.length);
  const shown = found.slice(0, MAX_SHOWN).map((name) => prefix + name);
  if (shown.length === 0) return succeeded(`No files.${hidden}`, { reads: [path.relative] });
  const left = found.length - shown.length;
  const note = left > 0 || run.isCut ? `\n(${left} more; name a folder or a glob)` : '';
  const text = cutText(shown.join('\n') + note + hidden, 'name a folder or a glob');
  return succeeded(text, { reads: [path.relative] });
}

function matching(names: readonly string[], glob: string | undefined): readonly string[] {
  if (glob === undefined) return names;
  const isMatch = picomatch(glob, { dot: true, basename: !glob.includes('/') });
  return names.filter((name) => isMatch(name));
}
