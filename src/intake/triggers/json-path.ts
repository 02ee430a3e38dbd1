import { compile, JSONPathError } from 'json-p3';

/** A path that can't be used; the message is for whoever wrote it. */
export function pathProblem(path: string): string | null {
  try {
    return compile(path).singularQuery()
      ? null
      : 'must lead to one value: names and numbers such as $.commits[0].id, without * .. : and ?';
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error;
    return `is no JSON path (RFC 9535): ${error.message}`;
  }
}

/** The value at a path; undefined where there is none, or a number that was rounded. */
export function valueAt(payload: unknown, path: string): unknown {
  const value = found(payload, path);
  return typeof value === 'number' && isRounded(value) ? undefined : value;
}

/** The neighbour of an id is another id. */
const isRounded = (value: number): boolean =>
  !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));

function found(payload: unknown, path: string): unknown {
  if (typeof payload !== 'object' || payload === null) return path === '$' ? payload : undefined;
  return compile(path)
    .query(payload as Parameters<ReturnType<typeof compile>['query']>[0])
    .values()[0];
}
