import { z } from 'zod';
import { splitLines } from './edit/lines.ts';
import { MAX_TEXT } from './output.ts';
import { resolveInside } from './paths.ts';
import { ALL_MODES, defineTool, failed, refusingPaths, succeeded } from './results.ts';
import { readTextFile } from './text-file.ts';
import type { ToolContext, ToolResult } from './tool.ts';

const DEFAULT_LINES = 2000;
const MAX_LINE = 2000;

const schema = z.strictObject({
  path: z.string().min(1).max(4096).describe('File, relative to the workspace'),
  offset: z.int().min(1).optional().describe('First line to read, from 1'),
  limit: z.int().min(1).max(10_000).optional().describe('Most lines to read; 2000 unless told'),
});

type Arguments = z.infer<typeof schema>;

export const readFileTool = defineTool<Arguments>({
  name: 'read_file',
  description:
    'Reads a text file of the workspace. Each line comes with its number and a tab in front, ' +
    'which are not part of the file. Read long files in parts with offset and limit.',
  effect: 'read',
  modes: ALL_MODES,
  schema,
  run: (args, context) => refusingPaths(() => read(args, context)),
});

async function read(args: Arguments, context: ToolContext): Promise<ToolResult> {
  const path = await resolveInside(context.workspace.path, args.path);
  if (path.kind === 'folder') return failed(`${path.relative} is a folder; use list_files`);
  const file = await readTextFile(path.absolute, path.relative);
  if (!file.ok) return failed(file.reason);
  const text = file.text.replace(/^\uFEFF/, '');
  const lines = splitLines(text).map(({ start, end }) => text.slice(start, end));
  const first = args.offset ?? 1;
  if (first > Math.max(1, lines.length)) {
    return failed(`${path.relative} has only ${lines.length} lines`);
  }
  return succeeded(show(lines, first, args.limit ?? DEFAULT_LINES), { reads: [path.relative] });
}

function show(lines: readonly string[], first: number, limit: number): string {
  if (lines.length === 0) return '(the file is empty)';
  const shown: string[] = [];
  let room = MAX_TEXT - 200;
  for (const line of lines.slice(first - 1, first - 1 + limit)) {
    const cut = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}… (line cut)` : line;
    const numbered = `${String(first + shown.length).padStart(6)}\t${cut}`;
    room -= numbered.length + 1;
    if (room < 0) break;
    shown.push(numbered);
  }
  const last = first - 1 + shown.length;
  const left = lines.length - last;
  const note = left > 0 ? `\n(${left} more lines; go on with offset ${last + 1})` : '';
  return shown.join('\n') + note;
}
