import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { openStore } from '../../checkpoints/store.ts';
import type { StorePlace } from '../../checkpoints/store-git.ts';
import type { TreeEntry } from '../../checkpoints/stored-tree.ts';
import type { SealedFile } from '../../contract/sealed.ts';
import {
  identifyRunning,
  isRunning,
  nameOfProcess,
  processInName,
} from '../../process/process-identity.ts';
import { proofFolder } from '../../proof-place/original.ts';
import { removeTree } from '../../sandbox/remove-tree.ts';

/** Where sealed files are readable for a while: a folder of the host's that no command sees. */
export interface Room {
  /** Stands in for the service's home, so that the place of the run lies in here as well. */
  readonly home: string;
  /** Holds the sealed files, and sees what the proof's store holds. */
  readonly store: StorePlace;
}

const PREFIX = 'sealed-';
/** Those of this process that are in use. */
const open = new Set<string>();

/** All that the run leaves, in the place, beside lent packages or in its home, goes with the room. */
export async function withRoom<Result>(
  home: string,
  goalId: string,
  beside: StorePlace,
  use: (room: Room) => Promise<Result>,
): Promise<Result> {
  await sweepRooms(home);
  const owner = nameOfProcess(identifyRunning(process.pid));
  const name = `${PREFIX}${owner}-${randomUUID()}`;
  const folder = join(proofFolder(home, goalId), name);
  open.add(name);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const store = { folder: join(folder, 'store') };
    await openStore(store);
    await mkdir(join(store.folder, 'objects', 'info'));
    const alternates = join(store.folder, 'objects', 'info', 'alternates');
    await writeFile(alternates, `${beside.folder}/objects\n`);
    return await use({ home: folder, store });
  } finally {
    // What can't be removed now is found by the next sweep.
    await removeTree(folder).catch(() => {});
    open.delete(name);
  }
}

/** Writes the files where git would keep them. */
export async function storeFiles(
  { store }: Room,
  files: readonly SealedFile[],
): Promise<ReadonlyMap<string, TreeEntry>> {
  const entries = new Map<string, TreeEntry>();
  for (const { path, mode, content } of files) {
    const blob = Buffer.concat([Buffer.from(`blob ${content.byteLength}\0`), content]);
    const object = createHash('sha1').update(blob).digest('hex');
    const at = join(store.folder, 'objects', object.slice(0, 2), object.slice(2));
    await mkdir(dirname(at), { recursive: true });
    await writeFile(at, await promisify(deflate)(blob));
    entries.set(path, { kind: 'file', mode, object });
  }
  return entries;
}

/** Removes rooms that a process which ended, or a removal that failed, left behind. */
export async function sweepRooms(home: string): Promise<void> {
  const root = join(home, 'proofs');
  for (const goalId of await readdir(root).catch(() => [])) {
    for (const name of await readdir(join(root, goalId)).catch(() => [])) {
      if (!name.startsWith(PREFIX) || open.has(name)) continue;
      const owner = processInName(name.slice(PREFIX.length));
      const isOwn = owner?.pid === process.pid;
      if (owner !== null && !isOwn && isRunning(owner)) continue;
      await removeTree(join(root, goalId, name)).catch(() => {});
    }
  }
}
