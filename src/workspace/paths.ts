import { createHash } from 'node:crypto';
import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { hiddenGitFolder, isGitName, plainName } from './git-names.ts';
import { TEMP_FILE } from './helper/write-file.ts';

export const MARKER_FILE = '.goalkeeper-workspace';

export interface SafePath {
  /** Without symlinks, inside the workspace. */
  readonly absolute: string;
  /** With `/`, relative to the workspace; `.` for the workspace itself. */
  readonly relative: string;
  readonly kind: 'file' | 'folder' | 'absent';
  /** The file's size; 0 for anything else. */
  readonly bytes: number;
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
  return lookUp(workspace, path);
}

/** Where a path of the workspace leads, relative to it; null where tools would refuse it. */
export function resolvedName(workspace: string, path: string): string | null {
  try {
    return lookUp(workspace, path).relative;
  } catch (error) {
    if (error instanceof PathRefused) return null;
    throw error;
  }
}

/** Synchronous, because a hop to another thread costs ten times as much as these system calls. */
function lookUp(workspace: string, path: string): SafePath {
  if (path.includes('\0')) throw new PathRefused(path, 'contains a NUL byte');
  const root = realpathSync.native(workspace);
  const wanted = resolve(root, rebase(path, workspace, root));
  const absolute = followLinks(path, wanted);
  if (!isWithin(root, absolute)) throw new PathRefused(path, 'leads out of the workspace');
  const inside = relative(root, absolute).split(sep).join('/');
  return { absolute, relative: inside === '' ? '.' : inside, ...whatIs(path, absolute) };
}

/** Like {@link resolveInside}, for a file that is going to be written. */
export async function resolveForWrite(workspace: string, path: string): Promise<SafePath> {
  const safe = await resolveInside(workspace, path);
  if (safe.kind === 'folder') throw new PathRefused(path, 'is a folder, not a file');
  if (/[/\\]\.?$/.test(path)) throw new PathRefused(path, 'names a folder, not a file');
  const segments = safe.relative.split('/');
  const hidden = await hiddenGitFolder(realpathSync.native(workspace));
  if (segments.some(isGitName) || (hidden !== null && `${safe.relative}/`.startsWith(`${hidden}/`)))
    throw new PathRefused(path, "lies in git's own folder, which tools don't write to");
  const name = segments.at(-1) ?? '';
  if (plainName(name) === MARKER_FILE) throw new PathRefused(path, "is the workspace's marker");
  if (TEMP_FILE.test(name)) throw new PathRefused(path, 'is a name that the host uses itself');
  return safe;
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
function followLinks(path: string, wanted: string): string {
  try {
    return realpathSync.native(wanted);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR')
      throw new PathRefused(path, 'goes through a file as if it were a folder');
    if (code !== 'ENOENT') throw new PathRefused(path, `can't be resolved (${code})`);
  }
  if (lstatOrNull(wanted) !== null) {
    throw new PathRefused(path, 'goes through a link that leads nowhere');
  }
  return join(followLinks(path, dirname(wanted)), basename(wanted));
}

function lstatOrNull(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

function whatIs(path: string, absolute: string): Pick<SafePath, 'kind' | 'bytes'> {
  const stats = statOrNull(path, absolute);
  if (stats === null) return { kind: 'absent', bytes: 0 };
  if (stats.isFile()) return { kind: 'file', bytes: stats.size };
  if (stats.isDirectory()) return { kind: 'folder', bytes: 0 };
  throw new PathRefused(path, 'is a device, pipe or socket');
}

function statOrNull(path: string, absolute: string): Stats | null {
  try {
    return statSync(absolute);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new PathRefused(path, `can't be looked at (${code})`);
  }
}
