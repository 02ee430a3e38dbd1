import { folderOf } from '../code-files.ts';
import { firstOf, type ImportReader, join, jsonOf, type Tree } from '../tree.ts';

const EXTENSIONS = ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs', 'vue', 'svelte', 'astro'];

const IMPORT = /\b(?:from|import|require)\s{0,99}(?:\(\s{0,99})?(['"])([^'"\n]{1,1000})\1/g;
const COMMENT = /\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|(?<=^|\s)\/\/.*$/gm;

export const scriptImports: ImportReader = {
  extensions: EXTENSIONS,
  importsOf: (tree, path) => {
    const text = (tree.read(path) ?? '').replace(COMMENT, ' ');
    const named = [...text.matchAll(IMPORT)].map(([, , module = '']) => module);
    return [...new Set(named)].flatMap((module) => resolveImport(tree, path, module) ?? []);
  },
};

function resolveImport(tree: Tree, from: string, module: string): string | undefined {
  const folder = folderOf(from);
  if (/^\.{1,2}(\/|$)/.test(module)) return scriptAt(tree, join(folder, module));
  return aliasesOf(tree, folder, module)
    .map((path) => scriptAt(tree, path))
    .find((path) => path !== undefined);
}

/** The file that a path without its extension, or with that of its build, stands for. */
export function scriptAt(tree: Tree, path: string | null): string | undefined {
  if (path === null) return undefined;
  const source = path.replace(/(\.d)?\.([cm]?)[jt]sx?$/, '');
  const [, kind = ''] = /\.([cm]?)[jt]sx?$/.exec(path) ?? [];
  const built = source === path ? [] : [`${kind}ts`, `${kind}tsx`, `${kind}js`, `${kind}jsx`];
  const index = path === '' ? 'index' : `${path}/index`;
  return firstOf(tree, [
    path,
    ...built.map((extension) => `${source}.${extension}`),
    ...EXTENSIONS.map((extension) => `${path}.${extension}`),
    ...EXTENSIONS.map((extension) => `${index}.${extension}`),
  ]);
}

function aliasesOf(tree: Tree, folder: string, module: string): (string | null)[] {
  const config = nearest(tree, folder, 'tsconfig.json') ?? nearest(tree, folder, 'jsconfig.json');
  return config === undefined ? [] : mappedBy(tree, config, module);
}

/** What `paths` and `baseUrl` of a tsconfig.json make of the name of a module. */
export function mappedBy(tree: Tree, config: string, module: string): (string | null)[] {
  const options = jsonOf(tree, config).at('compilerOptions');
  const { text: baseUrl } = options.at('baseUrl');
  const base = join(folderOf(config), baseUrl ?? '.') ?? '';
  const mapped = options.at('paths').entries.flatMap(([pattern, targets]) => {
    const [before = '', after] = pattern.split('*');
    if (after === undefined) return pattern === module ? targets.texts : [];
    if (!module.startsWith(before) || !module.endsWith(after)) return [];
    const part = module.slice(before.length, module.length - after.length);
    return targets.texts.map((target) => target.replace('*', () => part));
  });
  return [...mapped, ...(baseUrl === undefined ? [] : [module])].map((path) => join(base, path));
}

function nearest(tree: Tree, folder: string, name: string): string | undefined {
  const path = join(folder, name);
  if (path !== null && tree.has(path)) return path;
  return folder === '' ? undefined : nearest(tree, folderOf(folder), name);
}
