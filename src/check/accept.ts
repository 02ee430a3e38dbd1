import { isPathGlob, matchesPath } from '../../schema/glob.ts';

/**
 * Does a person accept what has this name? Paths of files by globs; everything else, such as a lost
 * test or a folder of packages, by its exact name: nobody sees these in a diff.
 */
export function acceptance(accept: readonly string[]): (name: string) => boolean {
  const exact = new Set(accept);
  const globs = accept.filter(isPathGlob);
  return (name) =>
    exact.has(name) || (isPlainPath(name) && globs.some((glob) => matchesPath(glob, name)));
}

const isPlainPath = (name: string): boolean =>
  !name.endsWith('/') && !/^(?:test|rewritten|looked at):|^c\d+$/.test(name);
