import { createHash } from 'node:crypto';
import type { Checker } from './checker.ts';
import { type Diagnostic, diagnosticsIn, MOST_FINDINGS } from './parse.ts';

/**
 * How often each error is there, by checker, file, rule and text. A line is no part of it, because
 * every change above moves it. A file that is moved takes its errors along as new ones.
 */
export type KnownErrors = Readonly<Record<string, number>>;

/** A project with more of them has to name paths: the goal's row keeps what is compared with. */
export const MOST_KNOWN_ERRORS = 2000;

/** A checker or the host says that the output is not all of it. */
const CUT = /diagnostics not shown|too many errors|\[… \d+ bytes left out …\]/i;

/**
 * The errors that a failed checker names in these paths; null where it names none, or not all, so
 * that nothing can be compared.
 */
export function errorsNamed(
  { parse }: Pick<Checker, 'parse'>,
  output: string,
  workspace: string,
  paths: readonly string[],
): readonly Diagnostic[] | null {
  if (CUT.test(output)) return null;
  const found = parse(output, workspace);
  if (found.length >= MOST_FINDINGS) return null;
  const errors = diagnosticsIn(found, paths).filter(({ severity }) => severity === 'error');
  return errors.length === 0 ? null : errors;
}

export function countErrors(checker: string, errors: readonly Diagnostic[]): KnownErrors {
  const counts: Record<string, number> = {};
  for (const error of errors) {
    const key = keyOf(checker, error);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** The errors beyond those that are known: of equal ones, the later are new. */
export function newErrors(
  checker: string,
  errors: readonly Diagnostic[],
  known: KnownErrors,
): Diagnostic[] {
  const left = { ...known };
  return errors.filter((error) => {
    const key = keyOf(checker, error);
    const count = left[key] ?? 0;
    left[key] = count - 1;
    return count <= 0;
  });
}

/** What either of them knows: criteria may look at different paths. */
export function mergeKnown(all: readonly KnownErrors[]): KnownErrors {
  const merged: Record<string, number> = {};
  for (const [key, count] of all.flatMap((one) => Object.entries(one))) {
    merged[key] = Math.max(merged[key] ?? 0, count);
  }
  return merged;
}

const keyOf = (checker: string, { path, rule = '', message }: Diagnostic): string =>
  createHash('sha256')
    .update(JSON.stringify([checker, path, rule, message]))
    .digest('hex')
    .slice(0, 16);
