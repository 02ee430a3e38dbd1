import type { z } from 'zod';

/** One place in which a value does not fit its schema. */
export interface Misfit {
  readonly path: readonly PropertyKey[];
  /** What is wrong there, told behind the place: `is missing`. */
  readonly message: string;
  /** A name that nothing knows there, a key of another form, or the value. */
  readonly what: 'unknown' | 'key' | 'value';
}

type Path = readonly PropertyKey[];
type Issue = z.core.$ZodIssue;

/**
 * Every place by itself, in the order of the schema: unknown fields by name, unions by the branch
 * that is nearest to the value.
 */
export const misfitsOf = ({ issues }: { readonly issues: readonly Issue[] }): Misfit[] =>
  issues.flatMap((issue) => misfitsIn(issue, []));

/** The first of them. @throws TypeError where there is none */
export function firstMisfit(error: { readonly issues: readonly Issue[] }): Misfit {
  const [first] = misfitsOf(error);
  if (first === undefined) throw new TypeError('an error of a schema names no place');
  return first;
}

/** `criteria.0.command: is missing`; what is wrong of the whole value stands under `whole`. */
export const tellMisfit = ({ path, message }: Misfit, whole = ''): string =>
  [dotted(path) || whole, message].filter(Boolean).join(': ');

export const dotted = (path: Path): string => path.map(String).join('.');

function misfitsIn(issue: Issue, parent: Path): Misfit[] {
  const path = [...parent, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      ...{ path: [...path, key], message: 'unknown field', what: 'unknown' as const },
    }));
  }
  if (issue.code === 'invalid_key') {
    // Of the record it says only that one of its keys is wrong.
    return issue.issues.map((inner) => ({ path, message: wordsOf(inner), what: 'key' as const }));
  }
  if (issue.code !== 'invalid_union') return [{ path, message: wordsOf(issue), what: 'value' }];
  if (issue.errors.length === 0) return [{ path, message: 'is of no known kind', what: 'value' }];
  const nearest = issue.errors.reduce((best, branch) =>
    distanceOf(branch) < distanceOf(best) ? branch : best,
  );
  return nearest.flatMap((inner) => misfitsIn(inner, path));
}

function wordsOf({ code, message }: Issue): string {
  if (code === 'invalid_type' && message.endsWith('received undefined')) return 'is missing';
  return message.replace(/^Invalid input: /, '');
}

/**
 * A branch that only knows too little of the value is nearer than one that misses its own fields,
 * and one that is for values of another type is the farthest.
 */
const distanceOf = (branch: readonly Issue[]): number =>
  branch.reduce((sum, { code, path }) => {
    if (code === 'unrecognized_keys') return sum + 1;
    return sum + (code === 'invalid_type' && path.length === 0 ? Number.POSITIVE_INFINITY : 2);
  }, 0);
