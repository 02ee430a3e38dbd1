import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { dotted, misfitsOf } from '../../schema/misfits.ts';

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
    const issues = misfitsOf(result.error).map(({ path, message }) => ({
      ...{ field: dotted(path), message },
    }));
    if (httpPart !== 'headers') return { error: new InvalidInput(issues) };
    const named = issues.map((issue) => ({ ...issue, field: headerName(issue.field) }));
    return { error: new InvalidInput(named) };
  };
};
