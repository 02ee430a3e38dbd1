import type { CheckpointsPort } from '../contract/checkpoints.ts';
import { Refusal } from '../contract/failures.ts';
import type { RewindTo } from '../contract/mutation.ts';
import { rewindTarget } from '../record/mutation/rewind.ts';
import { storeOf } from './store.ts';
import { readStoredTree } from './tree.ts';

/** @throws Refusal where nothing can be rewound to */
export async function assertStored(
  { checkpoints, home }: { readonly checkpoints: CheckpointsPort; readonly home: string },
  goalId: string,
  to: RewindTo,
): Promise<void> {
  const target = rewindTarget(await checkpoints.list(goalId), to);
  await readStoredTree(storeOf(home, goalId), target.commit).catch((error: Error) => {
    throw new Refusal(
      'not_found',
      `The files of checkpoint ${target.name} are not on this machine any more: ${error.message}`,
      { checkpoint: target.name },
    );
  });
}
