import { folderOf, nameOf } from './code-files.ts';
import { wordsOf } from './judge-like.ts';

/** Files that a test is named after: `sum.test.ts` and `test_sum.py` are about `sum`. */
export function subjectsOf(files: readonly string[], tests: readonly string[]): string[] {
  const subjects = new Set(tests.map((test) => titleOf(nameOf(test))));
  subjects.delete('');
  return files.filter((file) => subjects.has(titleOf(ownName(file))));
}

/** `money/index.ts` goes by the name of its folder. */
const ownName = (file: string): string =>
  /^(?:index|mod|__init__)\./.test(nameOf(file)) ? nameOf(folderOf(file)) : nameOf(file);

const titleOf = (name: string): string =>
  wordsOf(name.replace(/\.[^.]*$/, ''))
    .filter((word) => !/^(?:tests?|specs?|e2e|unit|integration|cy)$/.test(word))
    .join(' ');
