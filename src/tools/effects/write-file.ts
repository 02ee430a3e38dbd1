import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { WriteOrder, WriteOutcome } from './protocol.ts';

/** Temp files of writes that a crash left behind look like this; no fingerprint counts them. */
export const TEMP_FILE = /^\.goalkeeper-[0-9a-f]{16}\.tmp$/;

export async function writeFileAtomically(order: WriteOrder): Promise<WriteOutcome> {
  const early = await hashOf(order.path);
  if (early !== order.expected) return { kind: 'changed', found: early };
  const folder = dirname(order.path);
  await mkdir(folder, { recursive: true });
  const temp = tempPath(order);
  await rm(temp, { force: true });
  try {
    await fillTemp(temp, order);
    const late = await hashOf(order.path);
    if (late !== order.expected) return { kind: 'changed', found: late };
    await rename(temp, order.path);
  } finally {
    await rm(temp, { force: true });
  }
  await syncFolder(folder);
  await assertReadsBack(order);
  return { kind: 'written' };
}

async function fillTemp(temp: string, order: WriteOrder): Promise<void> {
  const before = await lstat(order.path).catch(() => null);
  const file = await open(temp, 'wx');
  try {
    await file.writeFile(order.content);
    await file.sync();
  } finally {
    await file.close();
  }
  if (before === null) return;
  await chown(temp, before.uid, before.gid).catch(() => undefined);
  await chmod(temp, before.mode & 0o7777);
}

function tempPath({ path, callId }: WriteOrder): string {
  const name = sha256(Buffer.from(`${callId}\0${basename(path)}`)).slice(0, 16);
  return join(dirname(path), `.goalkeeper-${name}.tmp`);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function assertReadsBack(order: WriteOrder): Promise<void> {
  const found = await hashOf(order.path);
  if (found !== sha256(order.content)) throw new Error('the file does not read back as written');
}

async function hashOf(path: string): Promise<string | null> {
  try {
    return sha256(await readFile(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
