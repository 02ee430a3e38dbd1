import { isPathGlob, matchesWhole } from '../../../../schema/glob.ts';
import { extensionOf, folderOf } from '../code-files.ts';
import { type Ecosystem, type Finding, found } from '../finding.ts';
import { isJudgeLike } from '../judge-like.ts';
import { type Json, join, jsonOf, reachProduct, type Tree, textOf, topmostWith } from '../tree.ts';
import { scriptAt, scriptImports } from './javascript-imports.ts';

/** Packages of npm and its kin: JavaScript, TypeScript and what is bundled with them. */
export const javascript: Ecosystem = {
  findingsOf: (tree) => {
    const folders = packagesOf(tree);
    return folders.flatMap((folder) => [
      ...productOf(tree, folder),
      ...standInsOf(tree, folder, folders),
    ]);
  },
  imports: scriptImports,
};

const manifestOf = (folder: string): string => join(folder, 'package.json') ?? 'package.json';

/** The topmost packages and the members that these declare. */
function packagesOf(tree: Tree): string[] {
  const tops = topmostWith(tree, (name) => name === 'package.json');
  const nested = tree.files
    .filter((file) => file.endsWith('/package.json') && !isJudgeLike(`${folderOf(file)}/x.js`))
    .map(folderOf);
  return tops.flatMap((top) => {
    const globs = workspacesOf(tree, top).flatMap((glob) => {
      const isLess = glob.startsWith('!');
      const path = join(top, glob.replace(/^!/, ''));
      return path !== null && isPathGlob(path) ? [{ path, isLess }] : [];
    });
    const isMember = (folder: string) =>
      globs.some(({ path, isLess }) => !isLess && matchesWhole(path, folder)) &&
      !globs.some(({ path, isLess }) => isLess && matchesWhole(path, folder));
    return [top, ...nested.filter((folder) => folder !== top && isMember(folder))];
  });
}

function workspacesOf(tree: Tree, top: string): string[] {
  const manifest = jsonOf(tree, manifestOf(top));
  const pnpm = textOf(tree, join(top, 'pnpm-workspace.yaml'));
  const [, list = ''] =
    /^packages:[^\n]*\n((?:[ \t]*(?:-|#)[^\n]*\n?|[ \t]*\n)*)/m.exec(pnpm) ?? [];
  return [
    ...manifest.at('workspaces').texts,
    ...manifest.at('workspaces', 'packages').texts,
    ...jsonOf(tree, join(top, 'lerna.json')).at('packages').texts,
    ...[...list.matchAll(/-[ \t]*(['"]?)([^'"#\n]+?)\1[ \t]*(?:#.*)?$/gm)].map(
      ([, , one = '']) => one,
    ),
  ];
}

/** A file or folder that a manifest names, in the words of the manifest. */
interface Target {
  readonly path: string;
  readonly says: string;
}

function productOf(tree: Tree, folder: string): Finding[] {
  const project = tsconfigOf(tree, folder);
  const entries = [...targetsOf(tree, folder), ...startsOf(tree, folder)].flatMap((target) =>
    entryOf(tree, folder, target, project.sources),
  );
  const reached = reachProduct(
    tree,
    entries.map(({ path }) => path),
  );
  const roots = [
    ...entries.flatMap(({ path, reason }) => rootOfEntry(folder, path, reason)),
    ...shippedFolders(tree, folder),
    ...project.sources
      .filter((source) => [...reached].some((file) => file.startsWith(`${source}/`)))
      .map((source) => found('root', source, `${project.path} names ${source} as sources`)),
    ...conventionalRoots(tree, folder),
  ];
  const isRootless = !roots.some(
    ({ path }) => tree.holdsCode(path) && !isJudgeLike(`${path}/x.js`),
  );
  const rest = [...reached].filter((file) => !entries.some(({ path }) => path === file));
  const entryPaths = entries.map(({ path }) => withoutFolder(path, folder));
  const because = `${entryPaths.slice(0, 2).join(' and ')} ${entries.length > 1 ? 'import' : 'imports'} it`;
  return [
    ...entries,
    ...roots,
    ...(isRootless ? rest.map((file) => found('file', file, because)) : []),
  ];
}

/** What package.json publishes or runs. */
function targetsOf(tree: Tree, folder: string): Target[] {
  const path = manifestOf(folder);
  const manifest = jsonOf(tree, path);
  const fields = ['source', 'main', 'module', 'browser', 'types', 'typings', 'bin', 'exports'];
  const named = fields.flatMap((field) =>
    manifest
      .at(field)
      .leaves.map((target) => ({ target, says: `${path} names ${target} as ${field}` })),
  );
  const shipped = manifest
    .at('files')
    .texts.filter((target) => tree.has(join(folder, target) ?? ''))
    .map((target) => ({ target, says: `${path} names ${target} in files` }));
  const started = ['start', 'dev'].flatMap((script) =>
    (manifest.at('scripts', script).text ?? '')
      .split(/\s+/)
      .filter((word) => /^[\w./-]+\.[cm]?[jt]sx?$/.test(word))
      .map((target) => ({ target, says: `${path} starts ${target}` })),
  );
  return [...named, ...shipped, ...started].flatMap(({ target, says }) => {
    const joined = join(folder, target);
    return joined === null || joined === folder || target.startsWith('!')
      ? []
      : [{ path: joined, says }];
  });
}

/** Where nothing is named: what Node, npm and bundlers look for by themselves. */
function startsOf(tree: Tree, folder: string): Target[] {
  const page = join(folder, 'index.html') ?? '';
  const scripts = [
    ...textOf(tree, page).matchAll(/<script[^>]{1,300}src=["']\/?([^"':]{1,300})["']/g),
  ];
  const loaded = scripts.flatMap(([, src = '']) => {
    const path = join(folder, src);
    return path === null ? [] : [{ path, says: `${page} loads ${src}` }];
  });
  const byName = ['index', 'main', 'server', 'app', 'cli'].flatMap((name) => {
    const path = join(folder, name);
    return path === null
      ? []
      : [{ path, says: `${name} at the top of a package is where it starts` }];
  });
  const isNamed = targetsOf(tree, folder).length + conventionalRoots(tree, folder).length > 0;
  return isNamed ? loaded : [...loaded, ...byName];
}

/** The source of what a manifest names: the file itself, or what its build is made from. */
function entryOf(
  tree: Tree,
  folder: string,
  { path, says }: Target,
  sources: readonly string[],
): Finding[] {
  if (path.includes('*')) return [];
  const file = scriptAt(tree, path);
  const isThere = file !== undefined && !isJudgeLike(file);
  const [top = '', ...inside] = withoutFolder(path, folder).split('/');
  const bases = [...sources, ...['src', 'source', 'lib', 'app'].map((one) => join(folder, one))];
  const others = [...bases.filter((base) => base !== join(folder, top)), isThere ? null : folder];
  const rests = inside.length === 0 ? [''] : inside.map((_, from) => inside.slice(from).join('/'));
  const origins = rests.flatMap((rest) =>
    others.flatMap((base) => (base === null ? [] : (scriptAt(tree, join(base, rest)) ?? []))),
  );
  const origin = origins.find((one) => one !== file && !isJudgeLike(one));
  // `lib/x.js` beside `src/x.ts` is a build, even where it is in git.
  if (origin !== undefined && (!isThere || top === 'lib')) {
    return [found('entry', origin, `${says}, which is made from it`)];
  }
  return isThere ? [found('entry', file, says)] : [];
}

const withoutFolder = (path: string, folder: string): string =>
  path.slice(folder === '' ? 0 : folder.length + 1);

const SOURCE_FOLDER = /^(?:src|source|lib|app|bin)$/;

/** `packages/core/src/index.ts` → `packages/core/src`; none for a file at the top of its package. */
function rootOfEntry(folder: string, path: string, reason: string): Finding[] {
  const parts = withoutFolder(path, folder).split('/');
  if (parts.length < 2) return [];
  const at = parts.slice(0, -1).findIndex((part) => SOURCE_FOLDER.test(part));
  const root = join(folder, parts.slice(0, at < 0 ? -1 : at + 1).join('/'));
  return root === null ? [] : [found('root', root, reason)];
}

/** Folders of sources that package.json ships as they are. */
function shippedFolders(tree: Tree, folder: string): Finding[] {
  const path = manifestOf(folder);
  const hasSource = tree.holdsCode(join(folder, 'src') ?? '');
  return jsonOf(tree, path)
    .at('files')
    .texts.flatMap((name) => {
      const shipped = join(folder, name.replace(/\/\*\*?(\/\*)?$/, ''));
      const isPlain = shipped !== null && shipped !== folder && !/[*!]/.test(shipped);
      const isBuild = hasSource && shipped === join(folder, 'lib');
      if (!isPlain || isBuild || !tree.holdsCode(shipped)) return [];
      return [found('root', shipped, `${path} names ${name} in files`)];
    });
}

/** `src`, or `lib` and `app` where there is none: beside `src`, `lib` is mostly its build. */
function conventionalRoots(tree: Tree, folder: string): Finding[] {
  const present = (names: readonly string[]) =>
    names.map((name) => join(folder, name) ?? name).filter((path) => tree.holdsCode(path));
  const first = present(['src', 'source']);
  const roots = first.length > 0 ? first : present(['lib', 'app']);
  return roots.map((root) => found('root', root, `${root} is the folder of sources by convention`));
}

interface TypeScriptProject {
  readonly path: string;
  /** Folders that it compiles, less the package itself. */
  readonly sources: readonly string[];
}

function tsconfigOf(tree: Tree, folder: string): TypeScriptProject {
  const path = ['tsconfig.json', 'tsconfig.build.json']
    .map((name) => join(folder, name) ?? name)
    .find((one) => tree.has(one));
  if (path === undefined) return { path: '', sources: [] };
  const config = jsonOf(tree, path);
  const named = [...config.at('compilerOptions', 'rootDir').texts, ...config.at('include').texts];
  const sources = named.flatMap((name) => {
    const source = join(folder, name.replace(/\/?\*.*$/, ''));
    const isFolder = source !== null && source !== folder && extensionOf(source) === '';
    return isFolder && tree.holdsCode(source) && !isJudgeLike(`${source}/x.ts`) ? [source] : [];
  });
  return { path, sources: [...new Set(sources)] };
}

/** Folders that stand in for packages, as `file:stubs/chai` does; members of the project do not. */
function standInsOf(tree: Tree, folder: string, members: readonly string[]): Finding[] {
  const path = manifestOf(folder);
  const manifest = jsonOf(tree, path);
  const named = (field: string): [string, Json][] => manifest.at(field).entries;
  const local = (entries: readonly [string, Json][]) =>
    entries.flatMap(([name, value]) =>
      value.leaves.flatMap((text) => {
        const [, target] = /^(?:file|link|portal|patch):(?:\/\/)?([^#]*)/.exec(text) ?? [];
        const place = target === undefined ? null : join(folder, target);
        return place === null || place === '' ? [] : [{ name, place }];
      }),
    );
  const used = ['dependencies', 'peerDependencies', 'optionalDependencies'].flatMap(named);
  const forced = ['devDependencies', 'overrides', 'resolutions', 'pnpm'].flatMap(named);
  return [
    ...local(used).filter(({ place }) => !members.includes(place)),
    ...local(forced).filter(({ place }) => !members.includes(place)),
  ].map(({ name, place }) => found('kept', place, `${path} takes ${name} from it`));
}
