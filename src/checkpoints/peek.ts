import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { knownFile, type Snapshot, takeSnapshot } from './snapshot.ts';
import { openStore, storeOf, storesOf } from './store.ts';
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
  /** Sees what `store` holds, and is removed afterwards. */
  readonly scratch: StorePlace;
  readonly workspace: string;
  /** See `takeSnapshot`. */
  readonly also?: Iterable<string>;
}

/** A temporary snapshot of the workspace, which `store` does not get to know. */
export async function withSnapshotBeside<Result>(
  { store, scratch, workspace, also }: Beside,
  use: (place: StorePlace, snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  await stat(workspace);
  try {
    await openStore(scratch);
    await mkdir(join(scratch.folder, 'objects', 'info'));
    await writeFile(
      join(scratch.folder, 'objects', 'info', 'alternates'),
      `${store.folder}/objects\n`,
    );
    await copyFile(knownFile(store), knownFile(scratch)).catch(() => {});
    return await use(scratch, await takeSnapshot(scratch, workspace, also));
  } finally {
    await rm(scratch.folder, { recursive: true, force: true });
  }
}
