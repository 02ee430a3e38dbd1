import type { Attempts, Runnable } from '../attempt-outcome.ts';
import { runAfterSetup } from '../clean.ts';
import type { HostRun } from '../host-run.ts';
import { inPlace, type ProofTree } from './place.ts';

/** Runs a check on this tree and nothing else. */
export const runProof = (
  host: HostRun,
  goalId: string,
  criterion: Runnable,
  tree: ProofTree,
): Promise<Attempts> =>
  inPlace(host, goalId, tree, (place) => runAfterSetup(host, criterion, place, 'the proof run'));
