import { z } from 'zod';
import { imageWords } from './image-result.ts';
import { ALL_MODES, defineTool, failed, succeeded } from './results.ts';
import type { ToolContext, ToolResult } from './tool.ts';

const DEFAULT_BYTES = 12_000;
const MOST_BYTES = 24_000;

const schema = z.strictObject({
  ref: z
    .string()
    .regex(/^(?:m\d{1,9}|t\d+\.s\d+\.\d+|a[0-9a-f]{16})$/, 'is m17, t3.s2.1 or a0123456789abcdef')
    .describe('As the conversation names it: m17 a message, t3.s2.1 a result, a… a file'),
  offset: z.int().min(0).optional().describe('First byte; 0 unless told'),
  limit: z.int().min(1).max(MOST_BYTES).optional().describe(`Bytes; ${DEFAULT_BYTES} unless told`),
});

type Arguments = z.infer<typeof schema>;

export const recallTool = defineTool<Arguments>({
  name: 'recall',
  description:
    'Reads again what this conversation no longer shows, by the reference in its place: a message, ' +
    'the whole result of a call, or a file that was attached. It is as it was then; for a file as it is now, use read_file.',
  effect: 'read',
  modes: ALL_MODES,
  schema,
  run: recall,
});

async function recall(args: Arguments, context: ToolContext): Promise<ToolResult> {
  const { ref, offset = 0, limit = DEFAULT_BYTES } = args;
  const found = (await context.recall?.(ref, { offset, limit })) ?? null;
  if (found === null) return failed(`nothing is kept under ${ref}`);
  if (found.image !== undefined) {
    const { image } = found;
    return { ...succeeded(`${image.name}: ${imageWords(image)}.`), images: [image] };
  }
  if (offset >= found.bytes && offset > 0) return failed(`${ref} has only ${found.bytes} bytes`);
  const { start, text, end } = wholeText(found.part);
  const next = offset + end;
  const note =
    next < found.bytes ? `\n(${found.bytes - next} more bytes; go on with offset ${next})` : '';
  const from = offset + start > 0 ? `, from byte ${offset + start}` : '';
  return succeeded(`${ref}${from}, as it was then:\n${text}${note}`);
}

/** Characters that the range cuts are left to the parts before and after it. */
function wholeText(part: Uint8Array): { start: number; text: string; end: number } {
  const isInside = (at: number) => ((part[at] ?? 0) & 0xc0) === 0x80;
  let start = 0;
  while (start < Math.min(3, part.length) && isInside(start)) start += 1;
  let end = part.length;
  for (let back = 1; back <= Math.min(3, part.length); back += 1) {
    const byte = part[part.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    if (length > back) end = part.length - back;
    break;
  }
  if (end <= start) return { start: 0, text: decode(part), end: part.length };
  return { start, text: decode(part.subarray(start, end)), end };
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
