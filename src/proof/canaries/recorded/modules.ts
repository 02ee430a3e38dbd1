import { folderOf, nameOf } from '../../scope/code-files.ts';
import { join } from '../../scope/tree.ts';
import type { Recordable } from './names.ts';

/** Says of what a text loads whether it may be the work: product, or nothing that is there. */
export type IsWork = (from: string, module: string) => boolean;

export interface Files {
  /** Of the original, and of the tree with the work. */
  readonly paths: ReadonlySet<string>;
  /** The judge's own code and data, which are the same with the work. */
  readonly isJudge: (path: string) => boolean;
  /** Names by which the packages of the tree load each other. */
  readonly packages: readonly string[];
}

const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '.jsx', '.tsx', '.json', '.vue'];

export const workModules = (files: Files, language: Recordable): IsWork =>
  language === 'js' ? workScripts(files) : workPackages(files);

const workScripts =
  ({ paths, isJudge, packages }: Files): IsWork =>
  (from, module) => {
    if (/^(?:#|@\/|~|\$lib)/.test(module)) return true;
    if (!/^\.{0,2}(?:\/|$)/.test(module)) {
      return packages.some((name) => module === name || module.startsWith(`${name}/`));
    }
    const path = join(folderOf(from), module.replace(/\?.*$/, ''));
    if (path === null) return true;
    const plain = path.replace(/\.([cm]?)jsx?$/, '.$1ts');
    const candidates = ENDINGS.flatMap((ending) => [path + ending, `${path}/index${ending}`]);
    const found = [...candidates, plain, `${plain}x`].find((one) => paths.has(one));
    return found === undefined || !isJudge(found);
  };

function workPackages({ paths, isJudge }: Files): IsWork {
  // Packages and modules of the tree, wherever its sources begin.
  const byName = new Map<string, string[]>();
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    if (!path.endsWith('.py')) continue;
    const name = nameOf(path).replace(/\.py$/, '');
    byName.set(name, [...(byName.get(name) ?? []), path]);
    for (const [at, part] of path.split('/').slice(0, -1).entries()) {
      const folder = path
        .split('/')
        .slice(0, at + 1)
        .join('/');
      folders.set(part, [...(folders.get(part) ?? []), folder]);
    }
  }
  const isJudges = (folder: string) =>
    [...paths].some((path) => path.startsWith(`${folder}/`) && isJudge(path));
  return (from, module) => {
    const [, dots = '', said = ''] = /^(\.*)(.*)$/.exec(module) ?? [];
    const tail = said.replaceAll('.', '/');
    const first = tail.split('/', 1)[0] ?? '';
    if (dots === '' && !byName.has(first) && !folders.has(first)) return false;
    const above = dots === '' ? null : upwards(folderOf(from), dots.length - 1);
    const isIt = (path: string, end: string) =>
      above === null
        ? path === end || path.endsWith(`/${end}`)
        : path === [above, end].filter((part) => part !== '').join('/');
    const last = tail.split('/').at(-1) ?? '';
    const found = (byName.get(last) ?? []).filter((path) => isIt(path, `${tail}.py`));
    if (found.length > 0) return !found.some(isJudge);
    const inside = dots !== '' && tail === '' ? [above ?? ''] : (folders.get(last) ?? []);
    const within = inside.filter((folder) => tail === '' || isIt(folder, tail));
    if (within.length > 0) return !within.some(isJudges);
    // A name that a module has, and no module itself.
    const owner = tail.split('/').slice(0, -1).join('/');
    const owners = [...paths].filter(
      (path) => owner !== '' && (isIt(path, `${owner}.py`) || isIt(path, `${owner}/__init__.py`)),
    );
    return !owners.some(isJudge);
  };
}

const upwards = (folder: string, levels: number): string =>
  folder
    .split('/')
    .slice(0, Math.max(0, folder.split('/').length - levels))
    .join('/');
