import { constants, type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { open, readdir, rename, unlink } from 'node:fs/promises';
import {
  changeMode,
  type HeldFolder,
  holdFolder,
  inFolderOf,
  NOTHING_THERE,
  openUpHeld,
  removeEntry,
  replaceFile,
} from './held-folder.ts';

const MOST_BYTES = 1024 * 1024;

/** The stats of the entry itself, without following a link; null if there is none. */
export async function lookAt(path: string): Promise<Stats | null> {
  try {
    // A synchronous call is ten times faster, which matters for thousands of entries.
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/**
 * The text of a small ordinary file, or null. Commands may have put anything there, so no link is
 * followed at its end and no pipe is waited for.
 */
export const readSmall = (path: string): Promise<string | null> =>
  opened(
    () => small(path, 'utf8'),
    () => inFolderOf(path, (folder, name) => giveRight(folder, name, 0o400)),
  );

/**
 * The same, also where a link stands on the way by now: that is null.
 * @param path absolute and real
 */
export const readHeld = (path: string, encoding: BufferEncoding = 'utf8'): Promise<string | null> =>
  inFolderOf(path, (folder, name) =>
    opened(
      () => small(folder.at(name), encoding),
      () => giveRight(folder, name, 0o400),
    ),
  );

async function small(path: string, encoding: BufferEncoding): Promise<string | null> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = await file.stat();
    return stats.isFile() && stats.size <= MOST_BYTES ? await file.readFile(encoding) : null;
  } finally {
    await file.close();
  }
}

/**
 * @param path absolute and real
 * @throws if it can't be read although this user owns it
 */
export async function namesIn(path: string): Promise<Dirent[]> {
  const folder = holdFolder(path);
  if (folder === null) return [];
  try {
    return await namesOf(folder);
  } finally {
    folder.close();
  }
}

async function namesOf(folder: HeldFolder): Promise<Dirent[]> {
  try {
    return readdirSync(folder.at(''), { withFileTypes: true });
  } catch {
    // The error is interpreted below.
  }
  const read = () => readdir(folder.at(''), { withFileTypes: true });
  return (await opened(read, () => giveRight(folder, '', 0o500))) ?? [];
}

/** A command may remove the read permission of its own files, but not of others' files. */
async function giveRight(folder: HeldFolder, name: string, right: number): Promise<boolean> {
  let isOurs = false;
  await changeMode(folder, name, ({ uid, mode }) => {
    isOurs = uid === process.getuid?.();
    return isOurs ? (mode & 0o777) | right : null;
  });
  return isOurs;
}

/** @param giveRight tells whether the act may succeed now */
async function opened<Opened>(
  act: () => Promise<Opened>,
  giveRight: () => Promise<boolean | null>,
): Promise<Opened | null> {
  try {
    return await act();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (NOTHING_THERE.includes(code)) return null;
    // Errors such as too many open files must not count as a missing entry.
    if (code !== 'EACCES') throw error;
    return (await giveRight()) === true ? await act() : null;
  }
}

/** Gives its owner all rights to a folder, where a command took them. @param path real */
export async function openUp(path: string): Promise<void> {
  const folder = holdFolder(path);
  if (folder === null) return;
  try {
    await openUpHeld(folder);
  } finally {
    folder.close();
  }
}

/** Removes an entry, or at least moves it away. @param path absolute and real @throws */
export async function takeAway(path: string): Promise<void> {
  await inFolderOf(path, async (folder, name) => {
    await openUpHeld(folder);
    await removeEntry(folder, name).catch(() =>
      rename(folder.at(name), folder.at(`${name}.taken-away-${Date.now()}`)),
    );
  });
}

/** @param path absolute and real @throws */
export async function putText(
  path: string,
  text: string,
  encoding: BufferEncoding = 'utf8',
): Promise<void> {
  await inFolderOf(path, async (folder, name) => {
    await openUpHeld(folder);
    await replaceFile(folder, name, Buffer.from(text, encoding));
  });
}

/** Takes the right to execute a file; one that has other names as well loses this one. @throws */
export async function forbidExecution(path: string): Promise<void> {
  await inFolderOf(path, async (folder, name) => {
    let hasOthers = false;
    await changeMode(folder, name, ({ mode, nlink }) => {
      hasOthers = nlink > 1;
      return hasOthers ? null : mode & 0o666;
    });
    if (hasOthers) await unlink(folder.at(name));
  });
}
