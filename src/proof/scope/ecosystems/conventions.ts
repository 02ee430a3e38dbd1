import { folderOf, isCode, nameOf } from '../code-files.ts';
import { type Ecosystem, type Finding, found } from '../finding.ts';
import { isJudgeLike, testsByName } from '../judge-like.ts';
import { subjectsOf } from '../subjects.ts';
import { join, jsonOf, type Tree, topmostWith } from '../tree.ts';

/** Manifests whose projects keep their sources in the same folders. */
const LAYOUTS: readonly { readonly manifest: RegExp; readonly folders: readonly string[] }[] = [
  { manifest: /^Gemfile$|\.gemspec$/, folders: ['lib', 'app', 'bin', 'exe'] },
  { manifest: /^composer\.json$/, folders: ['src', 'lib', 'app', 'bin'] },
  {
    manifest: /^(?:cpanfile|Makefile\.PL|Build\.PL|dist\.ini)$/,
    folders: ['lib', 'bin', 'script'],
  },
  { manifest: /^mix\.exs$/, folders: ['lib'] },
  { manifest: /^rebar\.config$/, folders: ['src'] },
  { manifest: /^Package\.swift$/, folders: ['Sources'] },
  { manifest: /^pubspec\.yaml$/, folders: ['lib', 'bin'] },
  { manifest: /\.cabal$|^(?:stack|package)\.yaml$/, folders: ['src', 'app', 'lib'] },
  { manifest: /^dune-project$/, folders: ['bin', 'lib', 'src'] },
];

/** Ruby, PHP, Perl, Elixir, Swift and others, whose conventions say it all. */
export const conventions: Ecosystem = {
  findingsOf: (tree) => [
    ...LAYOUTS.flatMap(({ manifest, folders }) =>
      topmostWith(tree, (name) => manifest.test(name)).flatMap((top) =>
        usual(tree, top, folders, 'by convention'),
      ),
    ),
    ...autoloaded(tree),
  ],
};

/** Where nothing else says what the product is. */
export const fallback: Ecosystem = {
  findingsOf: (tree) => {
    const folders = ['src', 'lib', 'app', 'pkg', 'cmd', 'internal', 'bin'];
    const roots = usual(tree, '', folders, 'by its name');
    return roots.length > 0 ? roots : subjects(tree);
  },
};

/** Modules that a test bears the name of and imports: `calc.py` beside `test_calc.py`. */
function subjects(tree: Tree): Finding[] {
  const tests = tree.files.filter((file) => isCode(file) && testsByName(file));
  return tests.flatMap((test) =>
    subjectsOf(
      tree.importsOf(test).filter((file) => !isJudgeLike(file)),
      [test],
    ).map((file) => found('file', file, `${test} is named after it and imports it`)),
  );
}

function usual(tree: Tree, top: string, folders: readonly string[], by: string): Finding[] {
  return folders
    .map((folder) => join(top, folder) ?? folder)
    .filter((path) => tree.inside(path).length > 0)
    .map((path) => found('root', path, `${path} is a folder of sources ${by}`));
}

/** Folders that composer.json loads classes from, in the product and in its tests. */
function autoloaded(tree: Tree): Finding[] {
  return tree.files
    .filter((file) => nameOf(file) === 'composer.json' && !isJudgeLike(`${folderOf(file)}/x.php`))
    .flatMap((file) => {
      const manifest = jsonOf(tree, file);
      const under = (field: string) =>
        manifest.at(field).leaves.map((name) => join(folderOf(file), name) ?? '');
      const loaded = under('autoload').filter((path) => path !== '');
      const forTests = under('autoload-dev').filter(
        (path) => path !== '' && !loaded.includes(path),
      );
      return [
        ...loaded.map((path) =>
          found(tree.has(path) ? 'file' : 'root', path, `${file} loads ${path}`),
        ),
        ...forTests.map((path) => found('kept', path, `${file} loads it for tests only`)),
      ];
    });
}
