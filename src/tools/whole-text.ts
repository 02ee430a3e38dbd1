import { z } from 'zod';

/** Half of a surrogate pair has no bytes in UTF-8: a file would silently get something else. */
const HALF_CHARACTER = /\p{Surrogate}/u;

export function wholeText(most: number): z.ZodString {
  return z
    .string()
    .max(most)
    .refine((text) => !HALF_CHARACTER.test(text), 'holds half of a character (a lone surrogate)');
}
