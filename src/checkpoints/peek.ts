import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { knownFile, takeSnapshot } from './snapshot.ts';
import { openStore, storeOf, storesOf } from './store.ts';
import type { StorePlace } from './store-git.ts';

/** The prefix of temporary stores; one that a dead process left is swept. */
export const LOOK = 'look-';

/**
 * A temporary snapshot of the workspace beside the goal's checkpoints. It leaves nothing behind,
 * so that a reader never blocks the goal's own work.
 */
export async function withPresent<Result>(
  home: string,
  goalId: string,
  workspace: string,
  use: (place: StorePlace, commit: string, leftOut: readonly string[]) => Promise<Result>,
): Promise<Result> {
  await stat(workspace);
  const store = storeOf(home, goalId);
  const scratch: StorePlace = { folder: join(storesOf(home), `${LOOK}${randomUUID()}`) };
  try {
    await openStore(scratch);
    await mkdir(join(scratch.folder, 'objects', 'info'));
    await writeFile(
      join(scratch.folder, 'objects', 'info', 'alternates'),
      `${store.folder}/objects\n`,
    );
    await copyFile(knownFile(store), knownFile(scratch)).catch(() => {});
    const { commit, leftOut } = await takeSnapshot(scratch, workspace);
    return await use(scratch, commit, leftOut);
  } finally {
    await rm(scratch.folder, { recursive: true, force: true });
  }
}
