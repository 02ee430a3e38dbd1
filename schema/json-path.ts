import { compile, JSONPathError } from 'json-p3';
import { inFormat, wordSchema } from './text.ts';

/** A path that can't be used; the message is for whoever wrote it. */
export function pathProblem(path: string): string | null {
  try {
    return compile(path).singularQuery()
      ? null
      : `${path} must lead to one value: names and numbers such as $.commits[0].id, without * .. : and ?`;
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error;
    return `${path} is no JSON path (RFC 9535): ${error.message}`;
  }
}

/** A JSON path (RFC 9535) that leads to one value: names and numbers, nothing that searches. */
export const jsonPathSchema = wordSchema(300).check(inFormat('json-path', pathProblem));
