import { constants } from 'node:fs';
import { lstat, open, readlink, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { takeFingerprint } from '../workspace/fingerprint.ts';
import { PathRefused } from '../workspace/paths.ts';
import { readResolvedFile } from '../workspace/regular-file.ts';

/** Larger files are in no checkpoint. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;
const MAX_FILES = 100_000;
const MAX_BYTES = 1024 * 1024 * 1024;

/** An early retry would fail the same way. */
export class TooLarge extends Error {
  constructor(what: string) {
    super(`no checkpoint: ${what}`);
    this.name = 'TooLarge';
  }
}

/** Stamps of all files that belong into a checkpoint, by path; a stamp changes with its file. */
export interface Looked {
  readonly stamps: ReadonlyMap<string, string>;
  /** Too large, so in no checkpoint. */
  readonly leftOut: readonly string[];
  /** Folders that may not be read, with a trailing slash: what lies there is not known. */
  readonly unread: readonly string[];
}

/**
 * The files that git wouldn't ignore by the `.gitignore` files of the tree, as they are now.
 *
 * @param also paths that count whatever is ignored, relative to the workspace
 * @throws TooLarge
 */
export async function lookAtTree(workspace: string, also: Iterable<string> = []): Promise<Looked> {
  const unread: string[] = [];
  const onUnread = (folder: string) => void unread.push(folder);
  const found = new Map(await takeFingerprint(workspace, [], { onUnread }));
  for (const path of also) {
    const stats = found.has(path) ? null : await lookAt(workspace, path);
    if (stats !== null) found.set(path, stats);
  }
  if (found.size > MAX_FILES)
    throw new TooLarge(`the workspace holds more than ${MAX_FILES} files`);
  const stamps = new Map<string, string>();
  const leftOut: string[] = [];
  let bytes = 0;
  for (const [path, { ctimeMs, mtimeMs, ino, size }] of found) {
    bytes += size > MAX_FILE_BYTES ? 0 : size;
    if (size > MAX_FILE_BYTES) leftOut.push(path);
    else stamps.set(path, `${ino} ${ctimeMs} ${mtimeMs} ${size}`);
  }
  if (bytes > MAX_BYTES) {
    throw new TooLarge(`the workspace holds more than ${MAX_BYTES / 1024 ** 2} MB`);
  }
  return { stamps, leftOut: leftOut.sort(), unread: unread.sort() };
}

/** Only what lies there itself: no folder on the way may be a link. */
async function lookAt(workspace: string, path: string) {
  const absolute = join(workspace, path);
  const folder = await realpath(dirname(absolute)).catch(() => null);
  if (folder !== dirname(absolute)) return null;
  const stats = await lstat(absolute).catch(() => null);
  return stats === null || stats.isDirectory() ? null : stats;
}

export interface FileContent {
  readonly kind: 'file' | 'link';
  /** Permission bits, without those that lend rights. */
  readonly mode: number;
  readonly content: Buffer;
}

/** Null for what is neither file nor link, can't be read, or went away. */
export async function readEntry(
  workspace: string,
  path: string,
  limit = MAX_FILE_BYTES,
): Promise<FileContent | null> {
  const entry = await tryEntry(workspace, path, limit);
  return entry === 'nothing' || entry === 'unread' ? null : entry;
}

/** `nothing`: it went away, or is neither file nor link; `unread`: it is there and nobody knows what it holds. */
export async function tryEntry(
  workspace: string,
  path: string,
  limit = MAX_FILE_BYTES,
): Promise<FileContent | 'nothing' | 'unread'> {
  const absolute = join(workspace, path);
  try {
    const stats = await lstat(absolute);
    if (stats.isSymbolicLink()) return (await readLink(absolute)) ?? 'unread';
    if (!stats.isFile()) return 'nothing';
    const content = await readResolvedFile(absolute, limit);
    return content === null ? 'nothing' : { kind: 'file', mode: stats.mode & 0o777, content };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR'].includes(code)) return 'nothing';
    if (error instanceof PathRefused || isOfFile(error)) return 'unread';
    throw error;
  }
}

/** Held open while it is read, so that it is the link that was looked at. */
async function readLink(absolute: string): Promise<FileContent | null> {
  const folder = await open(dirname(absolute), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const at = `/proc/self/fd/${folder.fd}`;
    if ((await readlink(at)) !== dirname(absolute)) return null;
    const target = await readlink(join(at, absolute.slice(dirname(absolute).length)), 'buffer');
    return { kind: 'link', mode: 0o755, content: target };
  } finally {
    await folder.close();
  }
}

const isOfFile = (error: unknown): boolean => {
  const { code, name } = error as NodeJS.ErrnoException;
  return ['EACCES', 'EPERM', 'ELOOP', 'EINVAL', 'EIO'].includes(code ?? name)
    ? true
    : name === 'FileTooLarge';
};
