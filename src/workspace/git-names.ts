import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** Folds all that some file systems ignore: case, width, marks, invisible signs, ends, streams. */
export function plainName(segment: string): string {
  return segment
    .normalize('NFKD')
    .replace(/[\p{Mark}\p{Format}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .replace(/:.*$/, '')
    .replace(/[. ]+$/, '');
}

/** `git~1` is the short name of `.git` on file systems that give such names. */
export function isGitName(segment: string): boolean {
  return ['.git', 'git~1'].includes(plainName(segment));
}

/** The repository's real folder, if `.git` is a link or names another folder of the workspace. */
export async function hiddenGitFolder(root: string): Promise<string | null> {
  const entry = join(root, '.git');
  const target = await realpath(entry).catch(() => null);
  if (target === null) return null;
  const isFile = (await stat(target)).isFile();
  const named = isFile ? /^gitdir: *(.+)$/m.exec(await readFile(target, 'utf8'))?.[1] : target;
  if (named === undefined) return null;
  const folder = await realpath(resolve(dirname(target), named)).catch(() => null);
  const way = folder === null ? null : relative(root, folder).split(sep).join('/');
  return way === '.git' || way === '' || way?.startsWith('../') ? null : way;
}
