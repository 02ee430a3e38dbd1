import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import {
  type FileHandle,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  symlink,
  unlink,
  utimes,
} from 'node:fs/promises';
import { diskFaultOf } from '../../process/disk-fault.ts';
import { BackupError, type LeftOut } from './backup-format.ts';
import { type CopiedEntry, digestOfLink, FOLDER, type Rights } from './backup-list.ts';
import { type BytePath, bytePathOf, pathIn, placeIn, shown } from './byte-paths.ts';
import { storedOf } from './disk-space.ts';

/** What is known of an entry before it has its rights. */
type Found = Pick<CopiedEntry, 'path' | 'digest' | 'bytes'>;

interface Trees {
  readonly from: string;
  readonly to: string;
  /** By the path below `from`; a folder that is left out is not entered. */
  readonly isKept: (path: BytePath) => boolean;
  /** Ends it between two files. */
  readonly signal: AbortSignal;
  /** Is this what it has to be? Throws where it isn't. Absent = nothing is compared. */
  readonly check?: (entry: Found) => Rights | null;
  /** What it gets instead of what was found, or listed. Who is not root gives nothing away. */
  readonly rightsOf?: (entry: Found, rights: Rights) => Rights;
  /** Told of what is not copied: true = it is left out. Absent = nothing is. */
  readonly isLeftOut?: (path: BytePath, why: LeftOut['why']) => boolean;
}

/** Of all files of goals: what is no data has to be read to know it, and a goal makes any amount of it. */
const MOST_HOLES = 256 * 1024 ** 3;

/**
 * Copies a tree file by file, each on its disk before the next: links as links, holes as holes, with
 * modes, times and owners. What goes while it is copied is left out. Others may swap any part of it
 * meanwhile, and nest it as they like: each folder on the way is held open, no link is followed below the
 * root, and no call waits within another one.
 * @throws BackupError
 */
export async function* copyTree(trees: Trees): AsyncGenerator<CopiedEntry> {
  const copying: Copying = { ...trees, holes: 0 };
  const way: HeldFolder[] = [];
  try {
    const root = await named(copying, '', open(trees.from, O_RDONLY | O_DIRECTORY));
    way.push({ handle: root, at: trees.from, below: '', names: [] });
    await named(copying, '', begin(copying, way[0] as HeldFolder));
    for (let folder = way.at(-1); folder !== undefined; folder = way.at(-1)) {
      trees.signal.throwIfAborted();
      const name = folder.names.pop();
      const path = name === undefined ? null : pathIn(folder.below, bytePathOf(name));
      if (path === null) {
        yield await named(copying, folder.below, end(copying, folder));
        way.pop();
        await folder.handle.close();
      } else if (trees.isKept(path)) {
        const from = inFolder(folder, bytePathOf(name as Buffer));
        const copied = await unlessLeftOut(copying, path, copyEntry(copying, from, path));
        if (copied === null) continue;
        if ('handle' in copied) way.push(copied);
        else yield copied;
      }
    }
  } finally {
    for (const { handle } of way) await handle.close();
  }
}

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

interface Copying extends Trees {
  /** Bytes of holes that were copied of what may be left out. */
  holes: number;
}

interface HeldFolder {
  readonly handle: FileHandle;
  /** Where it was found. */
  readonly at: string | Buffer;
  readonly below: BytePath;
  /** What is left to copy of it; the first one is the last. */
  names: Buffer[];
}

/** In the folder itself, wherever its path leads by now. */
const inFolder = ({ handle, at }: Pick<HeldFolder, 'handle' | 'at'>, name: BytePath): Buffer =>
  placeIn(process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : at, name);

async function begin(trees: Copying, folder: HeldFolder): Promise<void> {
  const { below } = folder;
  trees.check?.({ path: below, digest: FOLDER, bytes: null });
  const listed = readdir(inFolder(folder, '.'), { encoding: 'buffer' });
  const names = (await ofSource(below, listed)) ?? [];
  await mkdir(placeIn(trees.to, below), { recursive: below === '', mode: 0o700 }).catch(
    unlessThere,
  );
  folder.names = names.reverse();
}

/** A tree is copied in parts. */
function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

async function end(trees: Copying, folder: HeldFolder): Promise<CopiedEntry> {
  const { below: path, handle } = folder;
  const to = placeIn(trees.to, path);
  const stats = await handle.stat();
  const made = { path, digest: FOLDER, bytes: null };
  const rights = rightsFor(trees, made, stats, trees.check?.(made) ?? null);
  const target = await open(to, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    await give(target, to, rights, stats);
    await target.sync();
  } finally {
    await target.close();
  }
  return { ...made, ...rights, stored: 0 };
}

/** Null where it is left out. */
async function unlessLeftOut<Copied>(
  trees: Copying,
  path: BytePath,
  copied: Promise<Copied>,
): Promise<Copied | null> {
  try {
    return await named(trees, path, copied);
  } catch (error) {
    const why = error instanceof BackupError ? LEFT_OUT[error.code] : undefined;
    if (why === undefined || trees.isLeftOut?.(path, why) !== true) throw error;
    return null;
  }
}

const LEFT_OUT: { readonly [Code in BackupError['code']]?: LeftOut['why'] } = {
  unreadable: 'unreadable',
  too_long: 'too_long',
  holes: 'holes',
};

/** What a disk refuses is told with the entry that it was about. */
async function named<Result>(
  trees: Trees,
  path: BytePath,
  asked: Promise<Result>,
): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    const fault = diskFaultOf(error);
    if (fault === null) throw error;
    const { code = '' } = error as NodeJS.ErrnoException;
    const what = `${shown(path) || trees.from} can not be copied to ${trees.to}: ${fault.why}`;
    const found = new BackupError(FAULTS[code] ?? 'disk', `${what} (${code})`, fault.wayOut);
    found.cause = error;
    throw found;
  }
}

/** Each folder on the way is open, so what is nested too deep meets the limit of that. */
const FAULTS: Readonly<Record<string, BackupError['code']>> = {
  ...{ ENAMETOOLONG: 'too_long', EMFILE: 'too_long', ENOSPC: 'space', EDQUOT: 'space' },
};

/** Null = it is gone, or no file, folder or link. */
async function copyEntry(
  trees: Copying,
  from: Buffer,
  path: BytePath,
): Promise<CopiedEntry | HeldFolder | null> {
  for (;;) {
    trees.signal.throwIfAborted();
    const stats = await ofSource(path, lstat(from));
    if (stats === null) return null;
    const copied = await copyAs(stats, trees, from, path);
    if (copied !== 'other by now') return copied;
  }
}

async function copyAs(
  stats: Stats,
  trees: Copying,
  from: Buffer,
  path: BytePath,
): Promise<CopiedEntry | HeldFolder | 'other by now' | null> {
  if (stats.isSymbolicLink()) {
    const target = await ofSource(path, readlink(from, 'buffer'));
    return target === null ? 'other by now' : await copyLink(trees, target, path, stats);
  }
  if (!stats.isDirectory() && !stats.isFile()) {
    trees.isLeftOut?.(path, 'no_file');
    return null;
  }
  const kind = stats.isDirectory() ? O_DIRECTORY : O_NONBLOCK;
  const handle = await ofSource(path, open(from, O_RDONLY | O_NOFOLLOW | kind));
  if (handle === null) return 'other by now';
  let isHeld = false;
  try {
    const opened = await handle.stat();
    if (opened.isDirectory()) {
      const folder: HeldFolder = { handle, at: from, below: path, names: [] };
      await begin(trees, folder);
      isHeld = true;
      return folder;
    }
    return opened.isFile() ? await copyFile(trees, handle, path) : 'other by now';
  } finally {
    if (!isHeld) await handle.close();
  }
}

/** What one finds where something was swapped. */
const OTHER_BY_NOW: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EINVAL'];

/** Null where it is gone, or something else by now. */
async function ofSource<Result>(path: BytePath, asked: Promise<Result>): Promise<Result | null> {
  try {
    return await asked;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (OTHER_BY_NOW.includes(code)) return null;
    if (!['EACCES', 'EPERM'].includes(code)) throw error;
    throw new BackupError(
      'unreadable',
      `${shown(path)} may not be read`,
      'Run it as the user that serves the home, or let that user read it.',
    );
  }
}

async function copyLink(
  trees: Copying,
  target: Buffer,
  path: BytePath,
  stats: Stats,
): Promise<CopiedEntry> {
  const copied = { path, digest: digestOfLink(target), bytes: null };
  const rights = rightsFor(trees, copied, stats, trees.check?.(copied) ?? null);
  const to = placeIn(trees.to, path);
  await symlink(target, to);
  if (isRoot()) await lchown(to, rights.uid, rights.gid);
  return { ...copied, ...rights, stored: 0 };
}

const PIECE = 1024 * 1024;
/** Holes of a copy are whole ones of these. */
const GRAIN = 64 * 1024;
const ZEROS = Buffer.alloc(GRAIN);

async function copyFile(trees: Copying, source: FileHandle, path: BytePath): Promise<CopiedEntry> {
  const to = placeIn(trees.to, path);
  const stats = await source.stat();
  const stored = storedOf(stats);
  const isSparse = stored < stats.size;
  if (isSparse) countHoles(trees, path, stats.size - stored);
  const target = await open(to, 'wx', 0o600);
  try {
    const digest = createHash('sha256');
    const piece = Buffer.allocUnsafe(Math.min(PIECE, stats.size + 1));
    let bytes = 0;
    for (;;) {
      trees.signal.throwIfAborted();
      const { bytesRead } = await source.read(piece, 0, piece.byteLength, null);
      if (bytesRead === 0) break;
      const read = piece.subarray(0, bytesRead);
      digest.update(read);
      await write(target, read, bytes, isSparse);
      bytes += bytesRead;
    }
    if (isSparse) await target.truncate(bytes);
    const copied = { path, bytes, digest: digest.digest('hex') };
    const rights = rightsFor(trees, copied, stats, trees.check?.(copied) ?? null);
    await give(target, to, rights, stats);
    await target.sync();
    return { ...copied, ...rights, stored: Math.min(stored, bytes) };
  } catch (error) {
    await unlink(to).catch(() => {});
    throw error;
  } finally {
    await target.close();
  }
}

function countHoles(trees: Copying, path: BytePath, bytes: number): void {
  if (trees.isLeftOut === undefined) return;
  if (trees.holes + bytes > MOST_HOLES) {
    const gigabytes = Math.ceil(bytes / 1024 ** 3);
    const why = `${shown(path)} has ${gigabytes} GB of holes, and a backup reads 256 GB of them`;
    throw new BackupError('holes', why, 'Copy it by a tool that knows holes, such as cp.');
  }
  trees.holes += bytes;
}

/** Where a piece has nothing but zeros, a sparse file has none of it either. */
async function write(
  target: FileHandle,
  read: Buffer,
  at: number,
  isSparse: boolean,
): Promise<void> {
  if (!isSparse) return await writeAll(target, read, at);
  for (let from = 0; from < read.byteLength; from += GRAIN) {
    const grain = read.subarray(from, from + GRAIN);
    if (grain.compare(ZEROS, 0, grain.byteLength) !== 0) await writeAll(target, grain, at + from);
  }
}

async function writeAll(target: FileHandle, read: Buffer, at: number): Promise<void> {
  for (let done = 0; done < read.byteLength; ) {
    const left = read.byteLength - done;
    done += (await target.write(read, done, left, at + done)).bytesWritten;
  }
}

function rightsFor(trees: Trees, entry: Found, was: Stats, listed: Rights | null): Rights {
  const rights = listed ?? { mode: was.mode & 0o7777, uid: was.uid, gid: was.gid };
  return trees.rightsOf?.(entry, rights) ?? rights;
}

const isRoot = (): boolean => process.geteuid?.() === 0;

/** The owner first: giving something away takes the bits that run it as somebody. */
async function give(
  target: FileHandle,
  place: Buffer,
  { mode, uid, gid }: Rights,
  was: Stats,
): Promise<void> {
  if (isRoot()) await target.chown(uid, gid);
  await target.chmod(mode & 0o7777);
  await utimes(place, was.atime, was.mtime);
}
