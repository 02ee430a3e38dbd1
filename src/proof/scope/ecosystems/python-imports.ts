import { folderOf } from '../code-files.ts';
import { type ImportReader, join, type Tree } from '../tree.ts';

const IMPORT =
  /^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)|import[ \t]+([^\n#;]+))/gm;

export const moduleImports: ImportReader = {
  extensions: ['py', 'pyi', 'pyx'],
  importsOf: (tree, path) => {
    const imports = [...(tree.read(path) ?? '').matchAll(IMPORT)].flatMap(
      ([, from, names, plain]) =>
        from === undefined
          ? namesIn(plain ?? '')
          : [
              from,
              ...namesIn(names ?? '').map(
                (name) => `${from}${from.endsWith('.') ? '' : '.'}${name}`,
              ),
            ],
    );
    return [...new Set(imports.flatMap((name) => filesOf(tree, folderOf(path), name)))];
  },
};

const namesIn = (list: string): string[] =>
  list
    .replace(/#.*$/gm, '')
    .split(/[,()\s]+/)
    .filter((word, at, all) => /^[\w.]+$/.test(word) && word !== 'as' && all[at - 1] !== 'as');

/** The module and the packages that it lies in, wherever the interpreter may look for it. */
function filesOf(tree: Tree, folder: string, name: string): string[] {
  const [, dots = '', rest = ''] = /^(\.*)(.*)$/.exec(name) ?? [];
  const parts = rest.split('.').filter((part) => part !== '');
  const above = dots === '' ? [] : [join(folder, '../'.repeat(dots.length - 1) || '.')];
  const bases = dots === '' ? [...new Set([folder, '', 'src'])] : above;
  return bases.flatMap((base) => (base === null ? [] : moduleFiles(tree, base, parts)));
}

/** `a.b.c` under a folder: `a/__init__.py`, `a/b/__init__.py` and `a/b/c.py`. */
export function moduleFiles(tree: Tree, base: string, parts: readonly string[]): string[] {
  const paths = parts.flatMap((_, at) => {
    const path = join(base, parts.slice(0, at + 1).join('/'));
    return [`${path}/__init__.py`, `${path}/__init__.pyi`, `${path}.py`, `${path}.pyx`];
  });
  const own = join(base, '__init__.py');
  return [...paths, ...(own === null ? [] : [own])].filter((path) => tree.has(path));
}
