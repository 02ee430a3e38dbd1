import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { knownFile, type Snapshot, takeSnapshot } from './snapshot.ts';
import { hasStore, openStore, storeOf, storesOf } from './store.ts';
import { StoreFailed, type StorePlace } from './store-git.ts';

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
  beside: Beside,
  use: (place: StorePlace, snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const { store, later = [], scratch, workspace } = beside;
  await stat(workspace);
  try {
    const snapshot = await snapshotFrom([...(await existing(later)), store], beside).catch(
      async (error: unknown) => {
        if (!(error instanceof StoreFailed)) throw error;
        // A later store that is damaged is as good as none.
        await rm(scratch.folder, { recursive: true, force: true });
        return await snapshotFrom([store], beside);
      },
    );
    return await use(scratch, snapshot);
  } finally {
    await rm(scratch.folder, { recursive: true, force: true });
  }
}

async function snapshotFrom(
  stores: readonly StorePlace[],
  { scratch, workspace, also }: Beside,
): Promise<Snapshot> {
  await openStore(scratch);
  await mkdir(join(scratch.folder, 'objects', 'info'));
  await writeFile(
    join(scratch.folder, 'objects', 'info', 'alternates'),
    stores.map(({ folder }) => `${folder}/objects\n`).join(''),
  );
  await copyKnown(stores, scratch);
  return await takeSnapshot(scratch, workspace, also);
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
