import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readFile,
  readlink,
  rename,
  rm,
} from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import type { WriteOutcome } from '../../contract/effects.ts';
import type { WriteOrder } from './protocol.ts';

/** Temp files of writes that a crash left behind look like this; no fingerprint counts them. */
export const TEMP_FILE = /^\.goalkeeper-[0-9a-f]{16}\.tmp$/;

/** A folder that is held open: names in it are looked up there, wherever a path leads by now. */
export interface Folder {
  readonly handle: FileHandle;
  readonly path: string;
  at(name: string): string;
}

export async function writeFileAtomically(order: WriteOrder): Promise<WriteOutcome> {
  const folder = await openFolder(dirname(order.path));
  if (folder === null) return { kind: 'changed', found: null };
  try {
    return await writeInto(folder, order);
  } finally {
    await folder.handle.close();
  }
}

async function writeInto(folder: Folder, order: WriteOrder): Promise<WriteOutcome> {
  const target = folder.at(basename(order.path));
  const early = await hashOf(target);
  if (early !== order.expected) return { kind: 'changed', found: early };
  const temp = folder.at(tempName(order));
  await rm(temp, { force: true });
  try {
    await fillTemp(temp, target, order.content, folder);
    const late = await hashOf(target);
    if (late !== order.expected) return { kind: 'changed', found: late };
    await rename(temp, target);
  } finally {
    await rm(temp, { force: true });
  }
  await folder.handle.sync();
  await assertReadsBack(target, order.content);
  return { kind: 'written' };
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Opens the folder and creates it where it is missing. Null if a part of the path is a link by
 * now: the path was resolved before, so the link would redirect the write.
 */
export async function openFolder(path: string): Promise<Folder | null> {
  const handle = await open(path, FOLDER).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    if (error.code === 'ELOOP' || error.code === 'ENOTDIR') return 'other';
    throw error;
  });
  if (handle === 'other') return null;
  if (handle === null) return await makeFolder(path);
  const at = (name: string) => join(`/proc/self/fd/${handle.fd}`, name);
  if ((await readlink(at('')).catch(() => null)) === path) return { handle, path, at };
  await handle.close();
  return null;
}

async function makeFolder(path: string): Promise<Folder | null> {
  const parent = path === sep ? null : await openFolder(dirname(path));
  if (parent === null) return null;
  try {
    await mkdir(parent.at(basename(path))).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await parent.handle.sync();
    const made = await openFolder(path);
    if (made !== null) await giveToOwner(made.handle, parent);
    return made;
  } finally {
    await parent.handle.close();
  }
}

async function fillTemp(
  temp: string,
  target: string,
  content: Uint8Array,
  folder: Folder,
): Promise<void> {
  const before = await lstat(target).catch(() => null);
  // Nobody may read meanwhile what nobody could read before.
  const file = await open(temp, 'wx', before === null ? 0o666 : before.mode & 0o700);
  try {
    await file.writeFile(content);
    if (before === null) await giveToOwner(file, folder);
    else {
      await file.chown(before.uid, before.gid).catch(() => undefined);
      await file.chmod(before.mode & 0o7777);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/** What root makes belongs to whom its folder belongs to: commands run as that user. */
export async function giveToOwner(made: FileHandle, { handle }: Folder): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = await handle.stat();
  if (uid !== 0) await made.chown(uid, gid);
}

function tempName({ path, callId }: WriteOrder): string {
  const name = sha256(Buffer.from(`${callId}\0${basename(path)}`)).slice(0, 16);
  return `.goalkeeper-${name}.tmp`;
}

async function assertReadsBack(target: string, content: Uint8Array): Promise<void> {
  if ((await hashOf(target)) !== sha256(content)) {
    throw new Error('the file does not read back as written');
  }
}

const REGULAR = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Null where nothing is; something else than a file is an error, and never waited for. */
async function hashOf(path: string): Promise<string | null> {
  const file = await open(path, REGULAR).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return null;
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${basename(path)} is no regular file`);
    return sha256(await readFile(file));
  } finally {
    await file.close();
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
