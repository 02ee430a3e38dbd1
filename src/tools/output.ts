import type { Masker } from '../secrets/masker.ts';
import type { ToolResult } from './tool.ts';

/** Most characters of one tool result that the model reads. */
export const MAX_TEXT = 30_000;

/** Keeps head and tail, with a note between them. */
export function cutText(text: string, note: string, limit = MAX_TEXT): string {
  if (text.length <= limit) return text;
  const room = Math.max(0, limit - note.length - 60);
  const head = wholeCharacters(text.slice(0, Math.ceil(room / 2)));
  const tail = wholeCharacters(text.slice(text.length - Math.floor(room / 2)));
  const left = text.length - head.length - tail.length;
  return `${head}\n[… ${left} characters left out; ${note} …]\n${tail}`;
}

/** Removes halves of surrogate pairs at both ends. */
export function wholeCharacters(text: string): string {
  const start = /^[\uDC00-\uDFFF]/.test(text) ? 1 : 0;
  const end = /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length;
  return text.slice(start, end);
}

/** Masks a result but not its output, which {@link maskEffects} masked at its source. */
export function maskResult(result: ToolResult, mask: Masker): ToolResult {
  const { output, images, ...rest } = result;
  return { ...mask.value(rest), ...(output && { output }), ...(images && { images }) };
}
