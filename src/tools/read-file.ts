import { basename } from 'node:path';
import { z } from 'zod';
import { MOST_ATTACHMENT_BYTES } from '../../schema/attachment.ts';
import { readPart } from '../workspace/large-file.ts';
import { resolveInside, type SafePath } from '../workspace/paths.ts';
import { FileTooLarge, readResolvedFile } from '../workspace/regular-file.ts';
import { MAX_TEXT_BYTES, readTextFile } from '../workspace/text-file.ts';
import { LineTable } from './edit/lines.ts';
import { imageIn, imageWords } from './image-result.ts';
import { MAX_TEXT } from './output.ts';
import { ALL_MODES, defineTool, failed, refusingPaths, succeeded } from './results.ts';
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
    'Reads a text file of the workspace, or looks at an image (PNG, JPEG, WebP). Each line comes with its number and a tab in front, ' +
    'which are not part of the file. Read long files in parts with offset and limit.',
  effect: 'read',
  modes: ALL_MODES,
  schema,
  run: (args, context) => refusingPaths(() => read(args, context)),
});

async function read(args: Arguments, context: ToolContext): Promise<ToolResult> {
  const path = await resolveInside(context.workspace.path, args.path);
  if (path.kind === 'folder') return failed(`${path.relative} is a folder; use list_files`);
  if (path.kind === 'absent') return failed(`${path.relative} does not exist`);
  return path.bytes > MAX_TEXT_BYTES
    ? readLarge(args, path, context)
    : readSmall(args, path, context);
}

async function readSmall(
  args: Arguments,
  { absolute, relative }: SafePath,
  { maskLines = (text) => text }: ToolContext,
): Promise<ToolResult> {
  const file = await readTextFile(absolute, relative);
  if (!file.ok) return (await readPicture(absolute, relative)) ?? failed(file.reason);
  const lines = new LineTable(maskLines(file.text.replace(/^\uFEFF/, '')));
  const first = args.offset ?? 1;
  if (first > Math.max(1, lines.count)) return failed(`${relative} has only ${lines.count} lines`);
  if (lines.count === 0) return succeeded('(the file is empty)', { reads: [relative] });
  const behind = Math.min(lines.count, first - 1 + (args.limit ?? DEFAULT_LINES));
  const shown = numbered(first, (at) => (at < behind ? lines.text(at) : null));
  const left = lines.count - (first - 1) - shown.length;
  const note = left > 0 ? `(${left} more lines; go on with offset ${first + shown.length})` : '';
  return succeeded(joined(shown, note), { reads: [relative] });
}

/** Null where the file is no image. */
async function readPicture(absolute: string, relative: string): Promise<ToolResult | null> {
  const bytes = await readResolvedFile(absolute, MOST_ATTACHMENT_BYTES).catch(nullIfTooLarge);
  const image = bytes === null ? null : imageIn(basename(relative), bytes);
  if (image === null) return null;
  if ('why' in image) return failed(`${relative} ${image.why}`);
  const result = succeeded(`${relative} is an image: ${imageWords(image)}.`, { reads: [relative] });
  return { ...result, images: [image] };
}

function nullIfTooLarge(error: unknown): null {
  if (error instanceof FileTooLarge) return null;
  throw error;
}

/** Reads a part of a file that doesn't fit into memory, without counting the rest. */
async function readLarge(
  args: Arguments,
  { absolute, relative }: SafePath,
  { maskLines = (text) => text, signal }: ToolContext,
): Promise<ToolResult> {
  const first = args.offset ?? 1;
  const wanted = { first, limit: args.limit ?? DEFAULT_LINES, maxBytes: 4 * MAX_TEXT };
  const part = await readPart(absolute, wanted, signal);
  if (typeof part === 'string') return failed(`${relative} ${part}`);
  const lines = maskLines(part.lines.join('\n')).split('\n');
  const shown = numbered(first, (at) => lines[at - first + 1] ?? null);
  const hasMore = part.hasMore || shown.length < lines.length;
  const note = hasMore ? `(there is more; go on with offset ${first + shown.length})` : '';
  return succeeded(joined(shown, note), { reads: [relative] });
}

const joined = (lines: readonly string[], note: string): string =>
  [...lines, ...(note === '' ? [] : [note])].join('\n');

/** Returns as many lines from `first` as fit; `lineAt` counts from 0. */
function numbered(first: number, lineAt: (index: number) => string | null): string[] {
  const shown: string[] = [];
  let room = MAX_TEXT - 200;
  for (let at = first - 1; ; at += 1) {
    const line = lineAt(at);
    if (line === null) return shown;
    const cut = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}… (line cut)` : line;
    const whole = `${String(at + 1).padStart(6)}\t${cut}`;
    room -= whole.length + 1;
    if (room < 0) return shown;
    shown.push(whole);
  }
}
