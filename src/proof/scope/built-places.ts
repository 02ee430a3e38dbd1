import { extensionOf, isCode, nameOf } from './code-files.ts';
import { judgesByName, wordsOf } from './judge-like.ts';

/*
 * A run makes files: what it built, its caches and its reports. Anything else that tools find by
 * its name may judge what comes later in the same run.
 */

/** Words of folders in which builds, caches and reports are written. */
const BUILT_WORD =
  /^(?:\w*cache\w*|dist|builds?|built|out|outputs?|target|obj|coverage|reports?|results?|logs?|tmp\w*|temp|debug|gen|generated)$/;
const REPORT_WORD = /^(?:reports?|coverage|results?|junit|lcov|\w*cache)$/;
const BUILT_EXTENSION = /^(?:o|obj|class|gcda|gcno|tsbuildinfo|log|tmp)$/;

/** Is this a place where builds write? A folder ends with `/`. */
export function isBuiltPlace(path: string): boolean {
  const folders = path.split('/').slice(0, -1);
  const name = nameOf(path);
  const isReport = !isCode(path) && !/^(?:|conf|cfg|ini|toml|mk)$/.test(extensionOf(`x${name}`));
  return (
    folders.flatMap(wordsOf).some((word) => BUILT_WORD.test(word)) ||
    (isReport && wordsOf(name).some((word) => REPORT_WORD.test(word))) ||
    BUILT_EXTENSION.test(extensionOf(path))
  );
}

/** How many random letters follow the name where programs make a folder to be put in its place. */
const RANDOM_LETTERS = [6, 8];

/** Is it the first name of a place where builds write, such as Cargo's `target2KVAzG`? */
export const isBuiltScratch = (path: string): boolean =>
  RANDOM_LETTERS.some(
    (count) =>
      new RegExp(`[^/]\\w{${count}}$`).test(path) && isBuiltPlace(`${path.slice(0, -count)}/`),
  );

/** May this file that a run made, such as a `conftest.py` or a program on PATH, be a judge's? */
export const mayJudge = (path: string): boolean =>
  path.endsWith('/') || judgesByName(path) || isCode(path) || extensionOf(path) === '';

/**
 * What a name of a file that is written first and put in its place later is like: its end is random,
 * be it all behind three letters or, as `mkstemp` has it, six.
 */
export const likeScratch = (path: string): readonly string[] => [
  path.replace(/([^/]{0,3})[^/]*?(\.[^./]*)?$/, '$1*$2'),
  ...(/[^/]\w{6}$/.test(path) ? [`${path.slice(0, -6)}??????`] : []),
];
