import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

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
  const segments = safe.relative.toLowerCase().split('/');
  if (segments.includes('.git')) {
    throw new PathRefused(path, "lies in git's own folder, which tools don't write to");
  }
  if (segments.at(-1) === MARKER_FILE) throw new PathRefused(path, "is the workspace's marker");
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
  // The path was resolved before: a link or pipe that stands there now was put there meanwhile.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(absolute, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (file === null) return null;
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new PathRefused(absolute, 'is not a regular file');
    if (stats.size > limit) throw new FileTooLarge(stats.size, limit);
    return (await readAtOnce(file, stats.size)) ?? (await file.readFile());
  } finally {
    await file.close();
  }
}

/** One round trip for a file that rests; null where it has another length by now. */
async function readAtOnce(file: FileHandle, size: number): Promise<Buffer | null> {
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(size + 1), 0, size + 1, 0);
  return bytesRead === size ? buffer.subarray(0, size) : null;
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
