import { folderOf, isCode, nameOf } from './code-files.ts';
import { isDocument, isJudgeLike } from './judge-like.ts';
import type { Tree } from './tree.ts';

/** More code than this is not searched: whoever names the scope says what the data is. */
const MOST_CODE = 5000;

/** Data among the sources, such as a table of cases, that tests name and nothing of the product. */
export function dataOfTests(
  tree: Tree,
  isCovered: (path: string) => boolean,
): ReadonlyMap<string, string> {
  const data = tree.files.filter((file) => !isCode(file) && !isDocument(file) && isCovered(file));
  const code = data.length === 0 ? [] : tree.files.filter(isCode);
  if (code.length === 0 || code.length > MOST_CODE) return new Map();
  const texts = code.map((file) => ({ isTest: isJudgeLike(file), text: tree.read(file) ?? '' }));
  const tests = texts.filter(({ isTest }) => isTest);
  const product = texts.filter(({ isTest }) => !isTest);
  const judges = data.filter((file) => {
    const stem = nameOf(file).replace(/\.[^.]*$/, '');
    const isNamed = tests.some(({ text }) => text.includes(nameOf(file)) || ends(text, stem));
    return (
      isNamed && !product.some(({ text }) => words(file, stem).some((one) => text.includes(one)))
    );
  });
  return new Map(judges.map((file) => [file, 'tests name it, and nothing of the product does']));
}

/** `require('../src/sums')` names sums.json. */
const ends = (text: string, stem: string): boolean =>
  /['"`]/.test(text.split(`/${stem}`)[1]?.[0] ?? '');

/** A product may build the name of a file from that of its folder. */
const words = (file: string, stem: string): string[] => {
  const folders = folderOf(file).split('/').slice(1);
  return [stem, ...folders];
};
