import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { knownFile, takeSnapshot } from './snapshot.ts';
import { openStore, storeOf, storesOf } from './store.ts';
import type { StorePlace } from './store-git.ts';

/** Begins the names of looks; one that a dead process left behind is swept. */
export const LOOK = 'look-';

/**
 * The workspace as it is now, beside the checkpoints of a goal and without leaving anything there:
 * who only looks must not stand in the way of who works.
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
