import { bareOf, hasMagic, matchesPath } from '../../../schema/glob.ts';
import type { Scope } from '../../../schema/scope.ts';
import { judgesByName } from './judge-like.ts';
import { isInScope, scopeTest } from './scope.ts';

/** Each glob once, in the one way in which it is stored: `./src/` is `src`. */
export const plainGlobs = (globs: readonly string[]): string[] => [...new Set(globs.map(bareOf))];

/** Does the scope say this already? */
export function isCovered(scope: Pick<Scope, 'change' | 'keep'>, glob: string): boolean {
  if (plainGlobs(scope.keep).includes(glob)) return false;
  return plainGlobs(scope.change).includes(glob) || (!hasMagic(glob) && isInScope(scope, glob));
}

/** With globs that a person accepted; one that kept the same files gives way. */
export function widenScope(scope: Scope, globs: readonly string[], reason: string): Scope {
  const added = new Set(globs);
  const isOther = (glob: string) => !added.has(bareOf(glob));
  return {
    ...scope,
    change: [...scope.change.filter(isOther), ...globs],
    keep: scope.keep.filter(isOther),
    why: [
      ...scope.why.filter(({ glob }) => isOther(glob)),
      ...globs.map((glob) => ({ glob, reason })),
    ],
    setBy: 'person',
  };
}

/** Which of these files a wider scope takes in, and which its globs mean to no effect. */
export function filesGained(scope: Scope, globs: readonly string[], files: readonly string[]) {
  const [isIn, willBe] = [scopeTest(scope), scopeTest(widenScope(scope, globs, ''))];
  const gained = files.filter((path) => !isIn(path) && willBe(path));
  const left = files.filter(
    (path) => !willBe(path) && globs.some((glob) => glob === path || matchesPath(glob, path)),
  );
  return { gained, left, judges: gained.filter(judgesByName).length };
}

const SIGNS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-'];

/** Names that no folder has, by every first letter, so that none of them can be left out. */
const NOWHERE = ['q7x/w3z', 'q7x/w3z/k9v', 'q7x/w3z.js', 'q7x/w3z/k9v.py'].map((path) =>
  SIGNS.map((sign) => `${sign}${path}`),
);

/** Do the globs mean whatever is written anywhere, or a third of it? */
export const meansEverything = (globs: readonly string[]): boolean =>
  NOWHERE.some((paths) => {
    const met = paths.filter((path) => globs.some((glob) => matchesPath(glob, path)));
    return met.length * 3 > paths.length;
  });
