import { isPathGlob, matchesWhole } from '../../../../schema/glob.ts';
import { folderOf, nameOf } from '../code-files.ts';
import { type Ecosystem, type Finding, found } from '../finding.ts';
import {
  type ImportReader,
  join,
  reachProduct,
  type Tree,
  textOf,
  tomlOf,
  topmostWith,
} from '../tree.ts';

const TEST_MODULE =
  /#\[cfg\(test\)\]\s{0,99}(?:pub(?:\([^)]{0,99}\))?\s{1,99})?mod\s{1,99}(\w+)\s{0,99};/g;
const MODULE = /\bmod\s{1,99}(\w+)\s{0,99};/g;

const moduleImports: ImportReader = {
  extensions: ['rs'],
  importsOf: (tree, path) =>
    [...textOf(tree, path).replace(TEST_MODULE, '').matchAll(MODULE)].flatMap(([, name = '']) =>
      moduleFiles(tree, path, name),
    ),
};

/** Cargo's packages: `src`, and what `[lib]` and `[[bin]]` name. */
export const rust: Ecosystem = {
  findingsOf: (tree) => packagesOf(tree).flatMap((folder) => productOf(tree, folder)),
  imports: moduleImports,
};

const manifestOf = (folder: string): string => join(folder, 'Cargo.toml') ?? 'Cargo.toml';

function packagesOf(tree: Tree): string[] {
  const tops = topmostWith(tree, (name) => name === 'Cargo.toml');
  const all = tree.files.filter((file) => nameOf(file) === 'Cargo.toml').map(folderOf);
  return tops.flatMap((top) => {
    const workspace = tomlOf(tree, manifestOf(top)).at('workspace');
    const matching = (key: string) => {
      const globs = workspace.at(key).texts.map((glob) => join(top, glob) ?? '');
      return (folder: string) =>
        globs.some((glob) => isPathGlob(glob) && matchesWhole(glob, folder));
    };
    const [isMember, isExcluded] = [matching('members'), matching('exclude')];
    return [top, ...all.filter((one) => one !== top && isMember(one) && !isExcluded(one))];
  });
}

function productOf(tree: Tree, folder: string): Finding[] {
  const path = manifestOf(folder);
  const cargo = tomlOf(tree, path);
  const named = [cargo.at('lib'), ...cargo.at('bin').items].flatMap((target) => {
    const file = join(folder, target.at('path').text ?? '');
    return file === null || !tree.has(file) ? [] : [file];
  });
  const usual = ['src/lib.rs', 'src/main.rs'].map((name) => join(folder, name) ?? name);
  const source = join(folder, 'src') ?? 'src';
  return [
    found('root', source, `${path} builds ${source}`),
    ...usual
      .filter((file) => tree.has(file))
      .map((file) => found('file', file, `${path} builds it`)),
    ...named.flatMap((file) => ofTarget(tree, folder, file)),
    ...testModules(tree, folder),
    ...standInsOf(tree, folder),
  ];
}

/** A target at the top of its package brings the modules that it declares. */
function ofTarget(tree: Tree, folder: string, file: string): Finding[] {
  const reason = `${manifestOf(folder)} names ${file}`;
  if (folderOf(file) !== folder) {
    return [found('file', file, reason), found('root', folderOf(file), reason)];
  }
  return [...reachProduct(tree, [file])].map((one) =>
    found('file', one, one === file ? reason : `${file} declares it`),
  );
}

/** `#[cfg(test)] mod near;`: a file that only tests compile. */
const testModules = (tree: Tree, folder: string): Finding[] =>
  tree
    .inside(folder)
    .filter((file) => file.endsWith('.rs'))
    .flatMap((file) =>
      [...textOf(tree, file).matchAll(TEST_MODULE)].flatMap(([, name = '']) =>
        moduleFiles(tree, file, name).map((one) =>
          found('kept', one, `${file} compiles it for tests only`),
        ),
      ),
    );

function moduleFiles(tree: Tree, from: string, name: string): string[] {
  const own = nameOf(from).replace(/\.rs$/, '');
  const below = ['mod', 'lib', 'main'].includes(own) ? '.' : own;
  const path = join(folderOf(from), `${below}/${name}`);
  return [`${path}.rs`, `${path}/mod.rs`].filter((file) => tree.has(file));
}

/** Folders that stand in for crates: patched ones, and those that only tests depend on. */
function standInsOf(tree: Tree, folder: string): Finding[] {
  const path = manifestOf(folder);
  const cargo = tomlOf(tree, path);
  const used = cargo.at('dependencies').entries.map(([, one]) => one.at('path').text);
  const tables = [
    cargo.at('dev-dependencies'),
    cargo.at('replace'),
    ...cargo.at('patch').entries.map(([, one]) => one),
  ];
  return tables
    .flatMap((table) => table.entries)
    .flatMap(([name, one]) => {
      const { text } = one.at('path');
      const place = text === undefined || used.includes(text) ? null : join(folder, text);
      return place === null || place === ''
        ? []
        : [found('kept', place, `${path} takes ${name} from it`)];
    });
}
