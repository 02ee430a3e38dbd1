import { isPathGlob, matchesPath } from '../../schema/glob.ts';

/** Before a glob: only files that the base does not have. */
const OF_NEW = 'new:';

/**
 * Does a person accept what has this name? Paths of files by globs; everything else, such as a lost
 * test or a folder of packages, by its exact name: nobody sees these in a diff.
 */
export function acceptance(
  accept: readonly string[],
  isInBase: (path: string) => boolean,
): (name: string) => boolean {
  const exact = new Set(accept);
  const fresh = accept.flatMap((one) => (one.startsWith(OF_NEW) ? [one.slice(OF_NEW.length)] : []));
  const matching = (globs: readonly string[]) => {
    const readable = globs.filter(isPathGlob);
    return (path: string) => readable.some((glob) => matchesPath(glob, path));
  };
  const [isNamed, isNamedNew] = [matching(accept), matching(fresh)];
  return (name) =>
    exact.has(name) ||
    (isPlainPath(name) && (isNamed(name) || (!isInBase(name) && isNamedNew(name))));
}

const isPlainPath = (name: string): boolean =>
  !name.endsWith('/') && !/^(?:test|rewritten|looked at):|^c\d+$/.test(name);

/** Files that say what a package manager installs, and from where. */
const OF_PACKAGES =
  /(?:^|\/)(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|\.npmrc|pnpm-(?:lock|workspace)\.yaml|\.pnpmfile\.cjs|yarn\.lock|\.yarnrc(?:\.yml)?|[^/]*requirements[^/]*\.txt|pyproject\.toml|setup\.(?:py|cfg)|uv\.(?:lock|toml)|poetry\.lock|Pipfile(?:\.lock)?)$/;

/** The changed files of which installed packages may have come: whoever lends these accepts both. */
export const ofPackages = (changed: readonly string[]): string[] =>
  changed.filter((path) => OF_PACKAGES.test(path));
