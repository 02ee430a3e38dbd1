import type postgres from 'postgres';
import type { Database } from '../client.ts';

/** Literal text for LIKE. */
export const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Pattern of texts that hold these words. */
export const likeWords = (words: string): string => `%${escaped(words)}%`;

/** Texts within JSON hold the words as JSON writes them: quotes, backslashes and control characters. */
export const inJson = (db: Database, json: postgres.Fragment, words: string) =>
  db`position(lower(${JSON.stringify(words).slice(1, -1)}) in lower(${json}::text)) > 0`;
