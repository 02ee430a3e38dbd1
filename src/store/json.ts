import { createHash } from 'node:crypto';
import type { JSONValue } from 'postgres';

/** Postgres stores neither NUL nor half of a surrogate pair; models and tools emit both. */
export const storableText = (text: string): string =>
  text.replaceAll('\u0000', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD');

/**
 * JSON escapes of NUL and of halves of pairs. A text that only spells them out matches too and is
 * checked in full.
 */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/** The value as jsonb would return it, except for key order. */
export function storable(value: unknown): JSONValue {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  if (!UNSTORABLE.test(text)) return JSON.parse(text) as JSONValue;
  return JSON.parse(
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'string' ? storableText(inner) : withStorableKeys(inner),
    ),
  ) as JSONValue;
}

function withStorableKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  if (entries.every(([key]) => storableText(key) === key)) return value;
  return Object.fromEntries(entries.map(([key, inner]) => [storableText(key), inner]));
}

/** `canonicalJson` of what jsonb would return for the value. */
export function canonicalStorable(value: unknown): string {
  const text = canonicalJson(value === undefined ? null : value);
  return UNSTORABLE.test(text) ? canonicalJson(storable(value)) : text;
}

/** Hex digest of what two equal values share. */
export const sha256Of = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex');

/** JSON with sorted keys: equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** A copy, as a replacer that sorts makes JSON.stringify take twice the time. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  if ('toJSON' in value && typeof value.toJSON === 'function') return sorted(value.toJSON());
  // Without a prototype, `__proto__` is a key like others.
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value).sort()) {
    copy[key] = sorted((value as Record<string, unknown>)[key]);
  }
  return copy;
}
