import { folderOf, nameOf } from '../code-files.ts';
import { type Ecosystem, type Finding, found } from '../finding.ts';
import { isJudgeLike } from '../judge-like.ts';
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
  findingsOf: (tree) =>
    usual(tree, '', ['src', 'lib', 'app', 'pkg', 'cmd', 'internal', 'bin'], 'by its name'),
};

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
