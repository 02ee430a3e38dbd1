import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { Client } from '../client.ts';
import { ownPool } from '../own-pool.ts';
import { unfit } from './refused.ts';

export interface Folder {
  /** Of the workspace. */
  readonly name: string;
  /** Absolute, symlinks resolved. */
  readonly path: string;
}

interface Served extends Folder {
  readonly host: string;
}

/** The folder of a session, which gets a name where it has none: a person's right. */
export async function folderAt(client: Client, cwd: string): Promise<Folder> {
  const path = await realFolder(cwd);
  const there = await servedAt(client, path);
  if (there !== undefined) return { name: there.name, path };
  const { name } = await client.send<{ name: string }>('POST', '/v1/workspaces', { path });
  return { name, path };
}

/** Undefined where no goal can work there yet. */
export async function servedAt(client: Client, path: string): Promise<Folder | undefined> {
  const { items } = await client.get<{ items: readonly Served[] }>('/v1/workspaces');
  return items.find((one) => one.path === path && one.host === ownPool());
}

/** @throws RequestError */
export async function realFolder(cwd: string): Promise<string> {
  const wayOut = 'Open a folder of this machine.';
  if (!isAbsolute(cwd)) throw unfit('cwd', `${cwd} is no absolute path.`, wayOut);
  const path = await realpath(cwd).catch(() => null);
  const found = path === null ? null : await stat(path).catch(() => null);
  if (path !== null && found?.isDirectory() === true) return path;
  throw unfit('cwd', `There is no folder ${cwd}.`, wayOut);
}
