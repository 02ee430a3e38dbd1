import { z } from 'zod';

/**
 * Rules that no pattern can tell. The OpenAPI document names them as a `format`, and docs/api.md
 * says what each means.
 */
export type FormatName =
  | 'path-glob'
  | 'scope-glob'
  | 'command-glob'
  | 'tool-glob-of-run-command'
  | 'commit'
  | 'domain'
  | 'file-name'
  | 'one-line'
  | 'http-url'
  | 'regular-expression'
  | 'time-zone'
  | 'cron'
  | 'json-path';

/** What `\s` and `trim` mean here, spelled out: other languages' `\s` differs. */
export const BLANKS =
  '\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

/** As each language of patterns reads it: `\0` is the beginning of a number in some. */
export const NUL = '\\u0000';

/** Something else than blanks, and no NUL. */
export const NOT_BLANK = new RegExp(`^[^${NUL}]*[^${BLANKS}${NUL}][^${NUL}]*$`, 'u');

/** At most so many characters, counted as JSON Schema counts them: pairs of surrogates as one. */
export const atMost = (most: number): z.core.$ZodCheck<string> =>
  toldCheck(
    (text) => (isLonger(text, most) ? `must have at most ${most} characters` : null),
    (bag) => {
      bag.maximum = most;
    },
  );

/** @param problemOf why a text is refused, or null; it is not asked about texts refused before */
export const inFormat = (
  name: FormatName,
  problemOf: (text: string) => string | null,
): z.core.$ZodCheck<string> =>
  toldCheck(problemOf, (bag) => {
    bag.format = name;
  });

/** Beside a format that zod knows, which a pattern of its own would hide. */
export const matching = (pattern: RegExp, message: string): z.core.$ZodCheck<string> =>
  toldCheck(
    (text) => (pattern.test(text) ? null : message),
    (bag) => {
      bag.patterns = new Set([...((bag.patterns as Set<RegExp> | undefined) ?? []), pattern]);
    },
  );

/** Not only blanks, which are taken away around it. */
export const textSchema = (most: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .check(matching(NOT_BLANK, 'must not be empty'))
    .trim()
    .check(atMost(most));

/** A name or an id: as it was given. */
export const wordSchema = (most: number) => z.string().min(1).check(atMost(most));

function toldCheck(
  problemOf: (text: string) => string | null,
  tell: (bag: Record<string, unknown>) => void,
): z.core.$ZodCheck<string> {
  const check = z.check<string>((payload) => {
    const message = problemOf(payload.value);
    if (message === null) return;
    payload.issues.push({ code: 'custom', message, input: payload.value, continue: false });
  });
  check._zod.onattach.push(({ _zod }) => tell(_zod.bag));
  check._zod.def.abort = true;
  return check;
}

function isLonger(text: string, most: number): boolean {
  if (text.length <= most) return false;
  return text.length > most * 2 || [...text].length > most;
}
