import { folderOf, isCode } from '../code-files.ts';
import { type Ecosystem, type Finding, found } from '../finding.ts';
import { isAside, isJudgeLike } from '../judge-like.ts';
import { type Tree, textOf } from '../tree.ts';

const PROJECT = /\.(?:cs|fs|vb)proj$/;
const OF_TESTS = /<IsTestProject>\s{0,9}true|Microsoft\.NET\.Test\.Sdk|xunit|NUnit|MSTest/i;

/** .NET: the folder of each project that is not one of tests. */
export const dotnet: Ecosystem = {
  findingsOf: (tree) => {
    const projects = tree.files.filter((file) => PROJECT.test(file) && !isAside(folderOf(file)));
    const [tests, products] = [
      projects.filter((file) => OF_TESTS.test(textOf(tree, file))),
      projects.filter((file) => !OF_TESTS.test(textOf(tree, file))),
    ];
    return [
      ...products.flatMap((file) => sourcesOf(tree, file)),
      ...tests
        .filter((file) => folderOf(file) !== '')
        .map((file) => found('kept', folderOf(file), `${file} is a project of tests`)),
    ];
  },
};

/** A project at the top takes what lies below it: its folders count one by one. */
function sourcesOf(tree: Tree, project: string): Finding[] {
  const folder = folderOf(project);
  const reason = `${project} builds it`;
  if (folder !== '') return [found('root', folder, reason)];
  const tops = tree.files
    .filter((file) => isCode(file) && !isJudgeLike(file))
    .map((file) => file.split('/')[0] ?? '');
  return [...new Set(tops)].map((top) =>
    tree.has(top) ? found('flat', '', reason) : found('root', top, reason),
  );
}
