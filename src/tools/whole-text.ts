import { z } from 'zod';

/** Half of a surrogate pair has no UTF-8 form, so the file would silently get other text. */
const HALF_CHARACTER = /\p{Surrogate}/u;

export function wholeText(most: number): z.ZodString {
  return z
    .string()
    .max(most)
    .refine((text) => !HALF_CHARACTER.test(text), 'holds half of a character (a lone surrogate)');
}
