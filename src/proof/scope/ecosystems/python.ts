import { folderOf, nameOf } from '../code-files.ts';
import { type Ecosystem, type Finding, found } from '../finding.ts';
import { isAside, isJudgeLike } from '../judge-like.ts';
import { join, reachProduct, type Tree, textOf, tomlOf, topmostWith } from '../tree.ts';
import { moduleImports } from './python-imports.ts';

/** Python: packages and modules as build backends name them, `src`, and packages at the top. */
export const python: Ecosystem = {
  findingsOf: (tree) => {
    const tops = topmostWith(tree, (name) => MANIFESTS.includes(name));
    const folders = [...tops, ...tops.flatMap((top) => membersOf(tree, top))];
    const hasCode = tree.files.some((file) => file.endsWith('.py'));
    return (folders.length === 0 && hasCode ? [''] : folders).flatMap((folder) =>
      productOf(tree, folder),
    );
  },
  imports: moduleImports,
};

const MANIFESTS = ['pyproject.toml', 'setup.cfg', 'setup.py'];

function membersOf(tree: Tree, top: string): string[] {
  const globs = tomlOf(tree, join(top, 'pyproject.toml')).at('tool', 'uv', 'workspace', 'members');
  return globs.texts.flatMap((glob) => {
    const base = join(top, glob.replace(/\/?\*.*$/, ''));
    const isBelow = (folder: string) =>
      glob.includes('*') ? folderOf(folder) === base : folder === base;
    return base === null ? [] : tree.files.filter(isProject).map(folderOf).filter(isBelow);
  });
}

const isProject = (file: string): boolean => nameOf(file) === 'pyproject.toml';

function productOf(tree: Tree, folder: string): Finding[] {
  const named = [
    ...namedInPyproject(tree, folder),
    ...namedInSetup(tree, folder, 'setup.cfg'),
    ...namedInSetup(tree, folder, 'setup.py'),
  ].flatMap(({ name, says }) => atPath(tree, join(folder, name), says));
  if (named.length > 0) return named;
  const source = join(folder, 'src') ?? 'src';
  if (tree.inside(source).some((file) => file.endsWith('.py'))) {
    return [found('root', source, `${source} is the folder of sources by convention`)];
  }
  const packages = packagesIn(tree, folder);
  return packages.length > 0 ? packages : scriptsAt(tree, folder);
}

interface Named {
  readonly name: string;
  readonly says: string;
}

/** `a.b` as a path below the folder that packages are looked for in. */
const inside = (where: string, dotted: string): string =>
  `${where === '' ? '.' : where}/${dotted.replace(/[.]/g, '/')}`;

function namedInPyproject(tree: Tree, folder: string): Named[] {
  const path = join(folder, 'pyproject.toml') ?? '';
  const toml = tomlOf(tree, path);
  const tool = (...keys: string[]) => toml.at('tool', ...keys);
  const where = tool('setuptools', 'package-dir').at('').text ?? '';
  const wheel = tool('hatch', 'build', 'targets', 'wheel');
  const project = toml.at('project', 'name').text ?? tool('poetry', 'name').text;
  const module = tool('flit', 'module', 'name').text ?? project?.replace(/[-.]+/g, '_');
  const scripts = [toml.at('project', 'scripts'), tool('poetry', 'scripts')].flatMap((table) =>
    table.leaves.map((target) => target.split(/[.:]/)[0] ?? ''),
  );
  const modules = [module ?? '', module?.toLowerCase() ?? '', ...scripts].filter(Boolean);
  const names = [
    ...tool('setuptools', 'packages').texts.map((name) => inside(where, name)),
    ...tool('setuptools', 'py-modules').texts.map((name) => inside(where, name)),
    ...tool('setuptools', 'packages', 'find', 'where').texts.filter((one) => one !== '.'),
    ...wheel.at('packages').texts,
    ...wheel.at('only-include').texts,
    ...tool('poetry', 'packages').items.map(
      (one) => `${one.at('from').text ?? '.'}/${one.at('include').text ?? ''}`,
    ),
    ...[tool('pdm', 'build', 'package-dir'), tool('maturin', 'python-source')].flatMap(
      (one) => one.texts,
    ),
    ...modules.flatMap((name) => [inside(where, name), `src/${name}`]),
  ];
  return names.map((name) => ({ name, says: `${path} names ${name.replace(/^\.\//, '')}` }));
}

/** setup.cfg and setup.py are read for the few words that name packages and modules. */
function namedInSetup(tree: Tree, folder: string, file: string): Named[] {
  const path = join(folder, file) ?? '';
  const text = textOf(tree, path).replace(/#.*$/gm, '');
  const namesAfter = (key: string) => {
    const [, list = ''] =
      new RegExp(`\\b${key}\\s{0,9}=\\s{0,9}(\\[[^\\]]*\\]|[^\\n(]*(?:\\n[ \\t]+[^\\n=]+)*)`).exec(
        text,
      ) ?? [];
    return [...list.matchAll(/(?<![\w.(])[A-Za-z_][\w.]*(?![\w.]*\s*[(:])/g)].map(([name]) => name);
  };
  const [, where = ''] =
    /\b(?:where\s{0,9}=|["']{2}\s{0,9}:|find_packages\(|package_dir\s{0,9}=\s{0,99}=)\s{0,9}["']?([\w./-]+)/.exec(
      text,
    ) ?? [];
  const named = [...namesAfter('packages'), ...namesAfter('py_modules')].filter(
    (name) => !/^find/.test(name),
  );
  const folders = where === '' || where === '.' ? [] : [where];
  return [...named.map((name) => inside(where, name)), ...folders].map((name) => ({
    name,
    says: `${path} names ${name.replace(/^\.\//, '')}`,
  }));
}

/** A package's folder or a module's file, whichever the tree has. */
function atPath(tree: Tree, path: string | null, reason: string): Finding[] {
  if (path === null || path === '') return [];
  const files = [path, `${path}.py`].filter((file) => tree.has(file));
  const roots = tree.holdsCode(path) ? [found('root', path, reason)] : [];
  return [...roots, ...files.map((file) => found('file', file, reason))];
}

/** Folders with an __init__.py at the top. */
function packagesIn(tree: Tree, folder: string): Finding[] {
  return tree.inside(folder).flatMap((file) => {
    const at = folderOf(file);
    const isTop = nameOf(file) === '__init__.py' && at !== folder && folderOf(at) === folder;
    if (!isTop || isAside(at) || nameOf(at) === 'migrations') return [];
    return [found('root', at, `${at} is a package at the top`)];
  });
}

/** A program at the top: the files by which it starts, and the modules that these import. */
function scriptsAt(tree: Tree, folder: string): Finding[] {
  const starts = ['main', '__main__', 'app', 'cli', 'server', 'run', 'wsgi', 'asgi']
    .map((name) => join(folder, `${name}.py`) ?? '')
    .filter((path) => tree.has(path));
  const reached = [...reachProduct(tree, starts)].filter((file) => !starts.includes(file));
  return [
    ...starts.map((file) =>
      found('entry', file, `${file} is where a program starts by convention`),
    ),
    ...reached.map((file) => found('file', file, `${starts.join(' or ')} imports it`)),
  ].filter(({ path }) => !isJudgeLike(path));
}
