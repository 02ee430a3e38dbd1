import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';

export interface InputIssue {
  /** Dotted path, such as `criteria.0.command`. */
  readonly field: string;
  readonly message: string;
}

const MOST_SHOWN = 20;

/** Input that does not fit its schema; `field` is the first thing that is wrong. */
export class InvalidInput extends Error {
  readonly field: string;
  readonly issues: readonly InputIssue[];

  constructor(issues: readonly InputIssue[]) {
    const shown = issues.slice(0, MOST_SHOWN);
    const more = issues.length > shown.length ? [`and ${issues.length - shown.length} more`] : [];
    const said = shown.map(({ field, message }) => `${field || 'body'}: ${message}`);
    super([...said, ...more].join('; '));
    this.name = 'InvalidInput';
    this.field = issues[0]?.field ?? '';
    this.issues = shown;
  }
}

/** Node names headers in small letters. */
const headerName = (name: string): string =>
  name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

export const zodValidatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (data: unknown) => {
    const result = schema.safeParse(data);
    if (result.success) return { value: result.data };
    const issues = result.error.issues.flatMap((issue) => issuesOf(issue, []));
    if (httpPart !== 'headers') return { error: new InvalidInput(issues) };
    const named = issues.map((issue) => ({ ...issue, field: headerName(issue.field) }));
    return { error: new InvalidInput(named) };
  };
};

type Path = readonly PropertyKey[];

/** One entry for each wrong place: unknown fields by name, unions by their best-fitting branch. */
function issuesOf(issue: z.core.$ZodIssue, parent: Path): InputIssue[] {
  const path = [...parent, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: dotted([...path, key]), message: 'unknown field' }));
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const closest = issue.errors.reduce((best, branch) =>
      misfit(branch) < misfit(best) ? branch : best,
    );
    return closest.flatMap((inner) => issuesOf(inner, path));
  }
  const message = issue.code === 'invalid_union' ? 'is of no known kind' : issue.message;
  return [{ field: dotted(path), message }];
}

/**
 * A branch that only knows too little of the input is nearer than one that misses its own fields, and
 * one that is for values of another type is the farthest.
 */
function misfit(branch: readonly z.core.$ZodIssue[]): number {
  return branch.reduce((sum, issue) => sum + misfitOf(issue), 0);
}

function misfitOf({ code, path }: z.core.$ZodIssue): number {
  if (code === 'unrecognized_keys') return 1;
  return code === 'invalid_type' && path.length === 0 ? Number.POSITIVE_INFINITY : 2;
}

function dotted(path: Path): string {
  return path.map(String).join('.');
}
