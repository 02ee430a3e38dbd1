import { compile } from 'json-p3';

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
