import { alternatives, isPathGlob, literalGlob, matchesPath } from '../../../schema/glob.ts';
import type { Scope } from '../../../schema/scope.ts';
import { isJudgeLike, speaksOfJudge } from './judge-like.ts';

type Globs = Readonly<Pick<Scope, 'change' | 'keep'>>;

/**
 * Is this file the goal's to change? A `change` glob has to match and no `keep` glob may. A file
 * that looks like the judge's is in scope only where a `change` glob names it: `src/**` leaves
 * `src/foo.test.ts` to the judge. Globs that cannot be read never widen a scope.
 */
export function isInScope({ change, keep }: Globs, path: string): boolean {
  if (!isOfWorkspace(path)) return false;
  if (keep.some((glob) => keeps(glob, path))) return false;
  const matching = change
    .filter(isPathGlob)
    .flatMap(alternatives)
    .filter((glob) => matchesPath(glob, path));
  return matching.length > 0 && (!isJudgeLike(path) || matching.some((glob) => names(glob, path)));
}

/** Files of the judge that the scope includes: with them the goal writes a part of its own judge. */
export function judgesInScope(scope: Globs, paths: readonly string[]): string[] {
  return paths.filter((path) => isJudgeLike(path) && isInScope(scope, path));
}

/** A path that is read as a glob keeps the file of that name as well. */
const keeps = (glob: string, path: string): boolean =>
  glob === path || !isPathGlob(glob) || matchesPath(glob, path);

const names = (glob: string, path: string): boolean =>
  [path, literalGlob(path)].includes(glob.replace(/^(\.\/+)+/, '')) || speaksOfJudge(glob);

/** Paths as trees of git have them; git's own folder is in no tree. */
const isOfWorkspace = (path: string): boolean =>
  !path.split('/').some((segment) => /^(?:\.{0,2}|\.git)$/i.test(segment));
