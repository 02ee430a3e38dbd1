import { takeSnapshot } from '../checkpoints/snapshot.ts';
import { storeOf } from '../checkpoints/store.ts';
import { Superseded } from '../contract/failures.ts';
import type { SliceRun } from './slice-run.ts';

/**
 * Makes the checkpoint before the first write of a turn. It also covers the state that an earlier
 * turn left whose worker died before its checkpoint.
 */
export async function checkpointBeforeWrite(run: SliceRun): Promise<void> {
  if (run.isCheckpointed) return;
  run.isCheckpointed = true;
  const { checkpoint, writeSeq } = run;
  const hasWritten = run.tally.wrote || run.started.some(({ effect }) => effect !== 'read');
  if (hasWritten || (checkpoint !== null && checkpoint.writeSeq >= writeSeq)) return;
  const isBeginning = checkpoint === null && !(await hasWrittenBefore(run));
  await make(run, isBeginning ? 0 : run.input.turn - 1, false);
}

/** True when an earlier call wrote; a missing checkpoint then means that it could not be made. */
async function hasWrittenBefore({ ports, input }: SliceRun): Promise<boolean> {
  const receipts = await ports.journal.receipts(input.goalId);
  return receipts.some(({ receipt }) => (receipt?.writes?.length ?? 0) > 0);
}

/** Makes the checkpoint when a slice ends; the last slice of a turn overwrites it. */
export async function checkpointAfterTurn(run: SliceRun): Promise<void> {
  const { checkpoint, writeSeq, input } = run;
  if (checkpoint !== null && writeSeq > checkpoint.writeSeq) await make(run, input.turn, true);
}

/** A failed checkpoint is recorded and never stops the turn. */
async function make(run: SliceRun, turn: number, mayReplace: boolean): Promise<void> {
  const { ports, attempt, brief, input } = run;
  const { checkpoints } = ports;
  try {
    if (await checkpoints.isGivenUp(input.goalId)) return;
    const place = storeOf(ports.home, input.goalId);
    const snapshot = await takeSnapshot(place, brief.workspace.path);
    const named = { ...snapshot, name: `t${turn}`, turn, kind: 'turn' } as const;
    run.checkpoint = await checkpoints.keep(attempt.fence, named, mayReplace);
  } catch (error) {
    if (error instanceof Superseded) throw error;
    await checkpoints.tellFailed(attempt.fence, turn, error as Error).catch((lost: unknown) => {
      if (lost instanceof Superseded) throw lost;
    });
  }
}
