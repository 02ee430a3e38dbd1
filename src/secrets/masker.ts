import { CleanTexts } from './clean-texts.ts';
import { maskBytes, maskKnown, maskLines, maskText, StreamMask } from './mask.ts';
import type { Grain } from './safe-cut.ts';
import { secretValues } from './secret-values.ts';

export interface Masker {
  text(text: string): string;
  /** Masks and keeps the number of lines. */
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

export function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map));
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [map(key), mapStrings(item, map)]),
  );
}
