import { alternatives, isPathGlob, literalGlob, matchesPath } from '../../../schema/glob.ts';
import type { Scope } from '../../../schema/scope.ts';
import { extensionOf, isCode } from './code-files.ts';
import { isDocument, isJudgeLike, judgesByName, speaksOfJudge } from './judge-like.ts';

type Globs = Readonly<Pick<Scope, 'change' | 'keep'>>;

/**
 * Is this file the goal's to change? A `change` glob has to match and no `keep` glob may. A file
 * that looks like the judge's is in scope only where a `change` glob names it: `src/**` leaves
 * `src/foo.test.ts` to the judge. Globs that cannot be read never widen a scope.
 */
export const isInScope = (scope: Globs, path: string): boolean => scopeTest(scope)(path);

/** The same for many files. */
export function scopeTest({ change, keep }: Globs): (path: string) => boolean {
  const [changing, keeping] = [change.filter(isPathGlob).map(covering), keep.map(covering)];
  return (path) => {
    if (!isOfWorkspace(path) || keeping.some((glob) => glob.keeps(path))) return false;
    const matching = changing.filter((glob) => glob.covers(path));
    return matching.length > 0 && (!isJudgeLike(path) || matching.some((one) => one.names(path)));
  };
}

/**
 * Is a new file of a kind that the work had at the start? What else tools find in a source folder,
 * such as a makefile's fragment, a program without extension or the metadata of a plugin, is in
 * doubt: code, documents, and what a glob names by its extension or exactly, are not.
 */
export function kindTest(scope: Globs, original: Iterable<string>): (path: string) => boolean {
  const isIn = scopeTest(scope);
  let known: Set<string> | null = null;
  return (path) => {
    if (isCode(path) || isDocument(path)) return true;
    const extension = extensionOf(path);
    const isNamed = (glob: string) =>
      !glob.includes('**') || (extension !== '' && glob.endsWith(`.${extension}`));
    if (scope.change.some((glob) => isNamed(glob) && scopeTest({ ...scope, change: [glob] })(path)))
      return true;
    known ??= new Set([...original].filter(isIn).map(extensionOf));
    return extension !== '' && known.has(extension);
  };
}

interface Covering {
  covers(path: string): boolean;
  keeps(path: string): boolean;
  names(path: string): boolean;
}

function covering(written: string): Covering {
  const glob = written.replace(/^(\.\/+)+/, '');
  const isReadable = isPathGlob(glob);
  // Most globs of a large scope lie elsewhere, which their first folders tell at once.
  const [folder = ''] = /^(?:[^*?{}[\]()!+@\\/]+\/)*(?=[^/])/.exec(glob) ?? [];
  const covers = (path: string) => path.startsWith(folder) && matchesPath(glob, path);
  const isExact = (path: string) => glob === path || glob === literalGlob(path);
  return {
    covers,
    // A path that is read as a glob keeps the file of that name as well.
    keeps: (path) => glob === path || !isReadable || covers(path),
    names: (path) =>
      isExact(path) ||
      alternatives(glob).some((one) => matchesPath(one, path) && speaksOf(one, path)),
  };
}

/** Data at the top is in doubt by its place alone, which `*.txt` names and `**` doesn't. */
const speaksOf = (glob: string, path: string): boolean =>
  judgesByName(path) ? speaksOfJudge(glob, path) : !glob.includes('**');

/** Paths as trees of git have them; git's own folder is in no tree. */
const isOfWorkspace = (path: string): boolean =>
  !path.split('/').some((segment) => /^(?:\.{0,2}|\.git)$/i.test(segment));
