import type { Checker } from './checker.ts';
import { diagnosticsIn } from './parse.ts';

/** A checker that always checks everything may fail on files outside the request. */
export function concerns(
  { isNarrowed, parse }: Checker,
  output: string,
  paths: readonly string[],
  workspace: string,
): boolean {
  if (isNarrowed || paths.length === 0) return true;
  const found = parse(output, workspace);
  return found.length === 0 || diagnosticsIn(found, paths).length > 0;
}
