import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { knownFile, type Snapshot, takeSnapshot } from './snapshot.ts';
import { hasStore, openStore, storeOf, storesOf } from './store.ts';
import type { StorePlace } from './store-git.ts';

/** The prefix of temporary stores; one that a dead process left is swept. */
export const LOOK = 'look-';

/**
 * A temporary snapshot of the workspace beside the goal's checkpoints. It leaves nothing behind,
 * so that a reader never blocks the goal's own work.
 */
export function withPresent<Result>(
  home: string,
  goalId: string,
  workspace: string,
  use: (place: StorePlace, commit: string, leftOut: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const scratch = { folder: join(storesOf(home), `${LOOK}${randomUUID()}`) };
  const beside = { store: storeOf(home, goalId), scratch, workspace };
  return withSnapshotBeside(beside, (place, { commit, leftOut }) => use(place, commit, leftOut));
}

interface Beside {
  readonly store: StorePlace;
  /** Stores that may know the workspace as it was later; the first that does is gone on from. */
  readonly later?: readonly StorePlace[];
  /** Sees what these hold, and is removed afterwards. */
  readonly scratch: StorePlace;
  readonly workspace: string;
  /** See `takeSnapshot`. */
  readonly also?: Iterable<string>;
}

/** A temporary snapshot of the workspace, which `store` does not get to know. */
export async function withSnapshotBeside<Result>(
  { store, later = [], scratch, workspace, also }: Beside,
  use: (place: StorePlace, snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  await stat(workspace);
  try {
    await openStore(scratch);
    await mkdir(join(scratch.folder, 'objects', 'info'));
    const stores = [...(await existing(later)), store];
    await writeFile(
      join(scratch.folder, 'objects', 'info', 'alternates'),
      stores.map(({ folder }) => `${folder}/objects\n`).join(''),
    );
    await copyKnown(stores, scratch);
    return await use(scratch, await takeSnapshot(scratch, workspace, also));
  } finally {
    await rm(scratch.folder, { recursive: true, force: true });
  }
}

async function existing(stores: readonly StorePlace[]): Promise<StorePlace[]> {
  const there = await Promise.all(stores.map(hasStore));
  return stores.filter((_, index) => there[index]);
}

async function copyKnown(stores: readonly StorePlace[], scratch: StorePlace): Promise<void> {
  for (const store of stores) {
    const isCopied = copyFile(knownFile(store), knownFile(scratch)).then(
      () => true,
      () => false,
    );
    if (await isCopied) return;
  }
}
