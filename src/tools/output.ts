import { maskBytes, maskText } from './mask.ts';
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
  /** Masks in short slices, so that a large output stops nothing else. */
  bytes(bytes: Uint8Array): Promise<Uint8Array>;
  /** Every string inside, keys left alone. */
  value<Value>(value: Value): Value;
}

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|DATABASE_URL/i;
/** Masks the secrets of `env` and what has the shape of a known token. */
export function createMasker(env: NodeJS.ProcessEnv): Masker {
  const secrets = secretValues(env);
  const text = (given: string): string => maskText(given, secrets);
  const bytes = (given: Uint8Array) => maskBytes(given, secrets);
  return { text, bytes, value: (value) => mapStrings(value, text) as typeof value };
}

/** But not its output: {@link maskEffects} did that where the bytes came from. */
export function maskResult(result: ToolResult, mask: Masker): ToolResult {
  return {
    ...result,
    text: mask.text(result.text),
    receipt: mask.value(result.receipt),
    ...(result.todos && { todos: mask.value(result.todos) }),
    ...(result.proposal && { proposal: mask.value(result.proposal) }),
    ...(result.plan && { plan: mask.text(result.plan) }),
    ...(result.end && { end: mask.value(result.end) }),
  };
}

/** Longest first, so that a secret that contains another one is masked whole. */
function secretValues(env: NodeJS.ProcessEnv): string[] {
  const values = Object.entries(env)
    .filter(([name]) => SECRET_NAME.test(name))
    .flatMap(([, value = '']) => [
      value,
      ...value.split(',').map((part) => part.replace(/^\w+:/, '')),
    ])
    .filter((value) => value.length >= 8);
  return [...new Set(values)].sort((a, b) => b.length - a.length);
}

function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map));
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapStrings(item, map)]),
  );
}
