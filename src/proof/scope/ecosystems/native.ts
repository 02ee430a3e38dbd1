import { isPathGlob, matchesWhole } from '../../../../schema/glob.ts';
import { extensionOf, folderOf, nameOf } from '../code-files.ts';
import { type Ecosystem, type Finding, found } from '../finding.ts';
import { isAside, isJudgeLike } from '../judge-like.ts';
import { type ImportReader, join, reachProduct, type Tree, textOf } from '../tree.ts';
import { type Statement, sourcesOfTests } from './native-programs.ts';

const SOURCES = ['c', 'cc', 'cpp', 'cxx', 'm', 'mm', 's', 'S'];
const HEADERS = ['h', 'hh', 'hpp', 'hxx', 'inl', 'ipp', 'tpp'];

const ROOTS = ['src', 'source', 'lib', 'include'];

const includes: ImportReader = {
  extensions: [...SOURCES, ...HEADERS],
  importsOf: (tree, path) =>
    [...textOf(tree, path).matchAll(/^[ \t]*#[ \t]*include[ \t]*"([^"\n]{1,300})"/gm)].flatMap(
      ([, name = '']) => {
        const header = join(folderOf(path), name);
        if (header !== null && tree.has(header)) return [header];
        // `-Isrc`: wherever a folder of that convention has it.
        return ROOTS.map((root) => `${root}/${name}`).filter((file) => tree.has(file));
      },
    ),
};

/**
 * C, C++ and Objective-C: `src`, `lib` and `include`; where there is none, what the build at the top
 * names as sources, and everywhere what the builds of other folders name.
 */
export const native: Ecosystem = {
  findingsOf: (tree) => {
    if (!tree.files.some(isSource)) return [];
    const roots = rootsOf(tree);
    const builds = buildsOf(tree).filter((file) => file.includes('/') || roots.length === 0);
    return [
      ...roots.map((root) => found('root', root, `${root} is a folder of sources by convention`)),
      ...builds.flatMap((build) => namedBy(tree, build)),
    ];
  },
  judgesOf(tree, commands) {
    const roots = rootsOf(tree);
    const isByConvention = (path: string) => roots.some((root) => path.startsWith(`${root}/`));
    const statements = buildsOf(tree).flatMap((build) => namingOf(tree, build));
    return sourcesOfTests(tree, commands, statements, isByConvention);
  },
  imports: includes,
};

const isSource = (file: string): boolean => SOURCES.includes(extensionOf(file));
export const isNative = (file: string): boolean =>
  isSource(file) || HEADERS.includes(extensionOf(file));

/** None where only headers lie in them. */
function rootsOf(tree: Tree): string[] {
  const roots = ROOTS.filter((folder) => tree.inside(folder).some(isNative));
  return roots.some((root) => tree.inside(root).some(isSource)) ? roots : [];
}

const BUILD_FILE = /^(?:(?:GNUm|M|m)akefile|CMakeLists\.txt|meson\.build)$/;

/** What a build names, beside its own file: `add_subdirectory(geometry)` leads to another one. */
function namedBy(tree: Tree, build: string): Finding[] {
  const product = namingOf(tree, build).filter(({ text }) => !buildsTest(text));
  const named = product.flatMap(({ sources: own }) => own);
  const sources = [...reachProduct(tree, named)].filter((file) => !isJudgeLike(file));
  return sources.map((file) =>
    named.includes(file)
      ? found('file', file, `${build} names it`)
      : found('file', file, `what ${build} names includes it`),
  );
}

/** The build of a folder of tests builds what tests. */
export const isBuild = (file: string): boolean =>
  BUILD_FILE.test(nameOf(file)) && !isAside(file) && !isJudgeLike(`${folderOf(file)}/x.c`);

const buildsOf = (tree: Tree): string[] => tree.files.filter(isBuild);

/** The statements of a build, with the sources that they name. */
function namingOf(tree: Tree, build: string): Statement[] {
  const joined = textOf(tree, build)
    .replace(/#.*$/gm, '')
    .replace(/\\\r?\n/g, ' ')
    .replace(OWN_FOLDER, '');
  const statements = joined.split(/\n(?![ \t])|(?<=\))\s*\n/);
  const folder = folderOf(build);
  return statements.map((text) => ({ build, text, sources: filesIn(tree, folder, text) }));
}

const buildsTest = (statement: string): boolean => isJudgeLike(`src/${targetOf(statement)}/x.c`);

const OWN_FOLDER = /\$\{CMAKE_CURRENT_(?:SOURCE|LIST)_DIR\}\//g;

/** `prog: a.c`, `SRC = a.c`, `add_executable(prog a.c)`: what is made. */
const targetOf = (statement: string): string =>
  /^\s*(?:\w+\s*\(\s*)?([^\s:=()]*)/.exec(statement)?.[1]?.replaceAll('/', '_') ?? '';

/** Sources by name, by the name of their object, or by a wildcard. */
function filesIn(tree: Tree, folder: string, statement: string): string[] {
  const words = statement.split(/[\s=:;(),'"$]+/).map((word) => word.replace(/\.o$/, '.c'));
  return words
    .filter((word) => /\.\w+$/.test(word))
    .flatMap((word) => matching(tree, folder, word));
}

function matching(tree: Tree, folder: string, word: string): string[] {
  const path = join(folder, word);
  if (path === null) return [];
  if (!word.includes('*')) return tree.has(path) && isNative(path) ? [path] : [];
  if (!isPathGlob(path)) return [];
  return tree.files.filter(
    (file) => isNative(file) && nameOf(word) !== '*' && matchesWhole(path, file),
  );
}
