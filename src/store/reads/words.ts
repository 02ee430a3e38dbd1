import type postgres from 'postgres';
import type { Database } from '../client.ts';

/** Literal text for LIKE. */
export const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Pattern of texts that hold these words. */
export const likeWords = (words: string): string => `%${escaped(words)}%`;

/**
 * Texts within JSON hold the words as JSON writes them: quotes, backslashes and control characters.
 * They begin with a character of their own, and not with the `n` of a line break before them.
 */
export function inJson(db: Database, json: postgres.Fragment, words: string) {
  const written = JSON.stringify(words).slice(1, -1);
  const position = db`position(lower(${written}) in lower(${json}::text)) > 0`;
  return db`(${position} AND lower(${json}::text) ~ (${BEFORE} || lower(${literal(written)})))`;
}

/** Nothing, or a character that ends here: backslashes come in pairs. */
const BEFORE = String.raw`(?:^|[^\\])(?:\\\\)*`;

/** Literal text for a regular expression. */
const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
