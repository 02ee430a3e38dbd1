import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

/**
 * The path of an entry below a root. Names of files are bytes, which need not be text: each byte is
 * one character of it.
 */
export type BytePath = string;

export const pathIn = (folder: BytePath, name: BytePath): BytePath =>
  folder === '' ? name : `${folder}/${name}`;

export const bytesOf = (path: BytePath): Buffer => Buffer.from(path, 'latin1');

export const bytePathOf = (name: Buffer | string): BytePath => Buffer.from(name).toString('latin1');

/** For people: what is no text is marked. */
export const shown = (path: BytePath): string => bytesOf(path).toString('utf8');

/** Where the entry lies. */
export const placeIn = (root: string | Buffer, path: BytePath): Buffer =>
  path === '' ? Buffer.from(root) : Buffer.concat([Buffer.from(root), bytesOf(`/${path}`)]);

export async function unlessGone<Result>(asked: Promise<Result>): Promise<Result | null> {
  try {
    return await asked;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Where a path that need not be there yet leads to, whatever links are on its way. */
async function targetOf(path: string): Promise<string> {
  const target = await unlessGone(realpath(path));
  if (target !== null || dirname(path) === path) return target ?? path;
  return join(await targetOf(dirname(path)), basename(path));
}

/** Does the path lead to the folder, or into it? */
export async function leadsInto(folder: string, path: string): Promise<boolean> {
  const way = relative(await targetOf(folder), await targetOf(path));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
