import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { TEMP_FILE } from './effects/write-file.ts';
import { hiddenGitFolder, isGitName, plainName } from './git-names.ts';

export const MARKER_FILE = '.goalkeeper-workspace';

export interface SafePath {
  /** Without symlinks, inside the workspace. */
  readonly absolute: string;
  /** With `/`, relative to the workspace; `.` for the workspace itself. */
  readonly relative: string;
  readonly kind: 'file' | 'folder' | 'absent';
}

/** A path that a tool may not touch; the message is worded for the model. */
export class PathRefused extends Error {
  constructor(path: string, why: string) {
    super(`path ${JSON.stringify(path)} ${why}`);
    this.name = 'PathRefused';
  }
}

/** @throws PathRefused */
export async function resolveInside(workspace: string, path: string): Promise<SafePath> {
  if (path.includes('\0')) throw new PathRefused(path, 'contains a NUL byte');
  const root = await realpath(workspace);
  const wanted = resolve(root, rebase(path, workspace, root));
  const absolute = await followLinks(path, wanted);
  if (!isWithin(root, absolute)) throw new PathRefused(path, 'leads out of the workspace');
  const kind = await kindOf(path, absolute);
  const inside = relative(root, absolute).split(sep).join('/');
  return { absolute, relative: inside === '' ? '.' : inside, kind };
}

/** Like {@link resolveInside}, for a file that is going to be written. */
export async function resolveForWrite(workspace: string, path: string): Promise<SafePath> {
  const safe = await resolveInside(workspace, path);
  if (safe.kind === 'folder') throw new PathRefused(path, 'is a folder, not a file');
  if (/[/\\]\.?$/.test(path)) throw new PathRefused(path, 'names a folder, not a file');
  const segments = safe.relative.split('/');
  const hidden = await hiddenGitFolder(await realpath(workspace));
  if (segments.some(isGitName) || (hidden !== null && `${safe.relative}/`.startsWith(`${hidden}/`)))
    throw new PathRefused(path, "lies in git's own folder, which tools don't write to");
  const name = segments.at(-1) ?? '';
  if (plainName(name) === MARKER_FILE) throw new PathRefused(path, "is the workspace's marker");
  if (TEMP_FILE.test(name)) throw new PathRefused(path, 'is a name that the host uses itself');
  return safe;
}

export class FileTooLarge extends Error {
  constructor(bytes: number, limit: number) {
    super(`it has ${bytes} bytes, more than the limit of ${limit}`);
    this.name = 'FileTooLarge';
  }
}

/**
 * Null when there is no such file.
 * @throws FileTooLarge
 */
export async function readRegularFile(absolute: string, limit: number): Promise<Buffer | null> {
  const file = await openRegularFile(absolute);
  if (file === null) return null;
  try {
    return await readWhole(file, limit);
  } finally {
    await file.close();
  }
}

/**
 * The same for a path without links: no folder on the way may have become one meanwhile.
 * @throws FileTooLarge, PathRefused
 */
export async function readResolvedFile(absolute: string, limit: number): Promise<Buffer | null> {
  const file = await openResolvedFile(absolute);
  if (file === null) return null;
  try {
    return await readWhole(file, limit);
  } finally {
    await file.close();
  }
}

/** @throws PathRefused */
export async function openResolvedFile(absolute: string): Promise<FileHandle | null> {
  const file = await openRegularFile(absolute);
  if (file === null) return null;
  // What was opened, by the kernel's own word; of a file that was replaced since, it says so.
  const opened = await readlink(`/proc/self/fd/${file.fd}`).catch(() => null);
  if (opened === null || [absolute, `${absolute} (deleted)`].includes(opened)) return file;
  await file.close();
  throw new PathRefused(absolute, 'leads elsewhere since it was looked up');
}

async function openRegularFile(absolute: string): Promise<FileHandle | null> {
  // The path was resolved before: a link or pipe that stands there now was put there meanwhile.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(absolute, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    if (error.code === 'ELOOP') throw new PathRefused(absolute, 'is a link by now');
    if (error.code === 'ENXIO') throw new PathRefused(absolute, 'is a device, pipe or socket');
    throw error;
  });
  if (file === null || (await file.stat()).isFile()) return file;
  await file.close();
  throw new PathRefused(absolute, 'is not a regular file');
}

async function readWhole(file: FileHandle, limit: number): Promise<Buffer> {
  const { size } = await file.stat();
  if (size > limit) throw new FileTooLarge(size, limit);
  return (await readAtOnce(file, size)) ?? (await readToEnd(file, limit));
}

/** One round trip for a file that rests; null where it has another length by now. */
async function readAtOnce(file: FileHandle, size: number): Promise<Buffer | null> {
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(size + 1), 0, size + 1, 0);
  return bytesRead === size ? buffer.subarray(0, size) : null;
}

const PIECE_BYTES = 1024 * 1024;

/** Of a file that grows while it is read: as far as the limit, however fast it grows. */
async function readToEnd(file: FileHandle, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES, at);
    if (bytesRead === 0) return Buffer.concat(pieces);
    pieces.push(buffer.subarray(0, bytesRead));
    at += bytesRead;
    if (at > limit) throw new FileTooLarge(at, limit);
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A caller may know the workspace by a path that goes through a link. */
function rebase(path: string, workspace: string, root: string): string {
  const given = resolve(workspace);
  return isAbsolute(path) && isWithin(given, path) ? join(root, relative(given, path)) : path;
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Through links as far as the path exists; what does not exist yet is appended as it stands. */
async function followLinks(path: string, wanted: string): Promise<string> {
  try {
    return await realpath(wanted);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR')
      throw new PathRefused(path, 'goes through a file as if it were a folder');
    if (code !== 'ENOENT') throw new PathRefused(path, `can't be resolved (${code})`);
  }
  if ((await lstatOrNull(wanted)) !== null) {
    throw new PathRefused(path, 'goes through a link that leads nowhere');
  }
  return join(await followLinks(path, dirname(wanted)), basename(wanted));
}

async function lstatOrNull(path: string): Promise<Stats | null> {
  return lstat(path).catch(() => null);
}

async function kindOf(path: string, absolute: string): Promise<SafePath['kind']> {
  const stats = await stat(absolute).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new PathRefused(path, `can't be looked at (${error.code})`);
  });
  if (stats === null) return 'absent';
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  throw new PathRefused(path, 'is a device, pipe or socket');
}
