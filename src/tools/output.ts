import { CleanTexts } from './clean-texts.ts';
import { type Grain, maskBytes, maskKnown, maskLines, maskText, StreamMask } from './mask.ts';
import { secretValues } from './secret-values.ts';
import type { ToolResult } from './tool.ts';

/** Most characters of one tool result that the model reads. */
export const MAX_TEXT = 30_000;

/** Head and tail, with a note between them. */
export function cutText(text: string, note: string, limit = MAX_TEXT): string {
  if (text.length <= limit) return text;
  const room = Math.max(0, limit - note.length - 60);
  const head = wholeCharacters(text.slice(0, Math.ceil(room / 2)));
  const tail = wholeCharacters(text.slice(text.length - Math.floor(room / 2)));
  const left = text.length - head.length - tail.length;
  return `${head}\n[… ${left} characters left out; ${note} …]\n${tail}`;
}

/** Without halves of surrogate pairs at its ends. */
export function wholeCharacters(text: string): string {
  const start = /^[\uDC00-\uDFFF]/.test(text) ? 1 : 0;
  const end = /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length;
  return text.slice(start, end);
}

export interface Masker {
  text(text: string): string;
  /** As many lines as before. */
  lines(text: string): string;
  /** Only values that are known to be secret, for opaque texts. */
  known(text: string): string;
  /** Masks in short slices, so that a large output stops nothing else. */
  bytes(bytes: Uint8Array): Promise<Uint8Array>;
  /** Every string inside, and every key. */
  value<Value>(value: Value): Value;
  /** For what comes in pieces. */
  stream(grain?: Grain): Pick<StreamMask, 'push' | 'end'>;
}

/** Masks the secrets of `env`, the given ones, and what has the shape of a known token. */
export function createMasker(env: NodeJS.ProcessEnv, given: readonly string[] = []): Masker {
  const secrets = secretValues(env, given);
  const clean = new CleanTexts();
  const unlessClean = (mask: typeof maskText) => (shown: string) => {
    if (clean.has(shown)) return shown;
    const masked = mask(shown, secrets);
    if (masked === shown) clean.add(shown);
    return masked;
  };
  const text = unlessClean(maskText);
  return {
    text,
    lines: unlessClean(maskLines),
    known: (shown) => maskKnown(shown, secrets),
    bytes: (bytes) => maskBytes(bytes, secrets),
    value: (value) => mapStrings(value, text) as typeof value,
    stream: (grain) => new StreamMask(secrets, grain),
  };
}

/** But not its output: {@link maskEffects} did that where the bytes came from. */
export function maskResult(result: ToolResult, mask: Masker): ToolResult {
  const { output, ...rest } = result;
  return { ...mask.value(rest), ...(output && { output }) };
}

function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map));
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [map(key), mapStrings(item, map)]),
  );
}
