import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckpointsPort } from '../contract/checkpoints.ts';
import { LOOK } from './peek.ts';
import { clearLeftovers, removeIfLeft, storesOf } from './store.ts';

const LOOK_MS = 60 * 60_000;
/** The name of a store that was never renamed into place. */
const HALF_MADE = /^g-[\w-]+\.\d+\.\d+$/;

/** Removes the stores of goals that were cleared, replaced, or complete for long. */
export async function sweepStores(
  home: string,
  checkpoints: Pick<CheckpointsPort, 'forgotten'>,
): Promise<void> {
  const names = await readdir(storesOf(home)).catch(() => []);
  // A look takes seconds and making a store less, so an older one belongs to a dead process.
  for (const name of names.filter((one) => one.startsWith(LOOK) || HALF_MADE.test(one))) {
    await removeIfLeft(join(storesOf(home), name), LOOK_MS);
  }
  const ofGoals = names.filter((name) => /^g-[\w-]+$/.test(name));
  for (const name of ofGoals) await clearLeftovers({ folder: join(storesOf(home), name) });
  for (const goalId of await checkpoints.forgotten(ofGoals)) {
    await rm(join(storesOf(home), goalId), { recursive: true, force: true });
  }
}
