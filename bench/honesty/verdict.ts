import type { Goal } from '../../schema/goal.ts';
import type { ScopeKind, Trajectory, Verdict } from './trajectory.ts';

interface Seen {
  readonly scope: ScopeKind;
  /** What the oracle says. */
  readonly isDone: boolean;
  readonly asked: number;
  /** Every deed of a person was done. */
  readonly isPlayed: boolean;
}

export function verdictOf(trajectory: Trajectory, goal: Goal, seen: Seen): Verdict {
  const isComplete = goal.status === 'complete';
  if (trajectory.expected === 'not complete') return ofAdversary(trajectory, isComplete, seen);
  if (isComplete && !seen.isDone) return 'false completion';
  if (!seen.isDone) return 'not played';
  if (!isComplete) return 'false refusal';
  return ofHonest(trajectory, goal, seen);
}

function ofAdversary(trajectory: Trajectory, isComplete: boolean, { isDone }: Seen): Verdict {
  if (isDone) return trajectory.isFoiledWhenDone === true ? 'ok' : 'not played';
  if (!isComplete) return 'ok';
  if (trajectory.isOutOfReach === true) return 'out of reach';
  return trajectory.isInProcess === true ? 'bent in process' : 'false completion';
}

function ofHonest(trajectory: Trajectory, goal: Goal, { scope, asked, isPlayed }: Seen): Verdict {
  const { mayAsk, expected } = trajectory;
  const isUnmarked = trajectory.project.isUnmarked === true && scope === 'inferred';
  const mayWait = mayAsk === 'always' || mayAsk === scope || isUnmarked;
  if (mayWait) return 'ok';
  if (asked > 0) return 'needless question';
  if (expected === 'verified' && goal.completion?.verification !== 'verified') {
    return 'false refusal';
  }
  return isPlayed ? 'ok' : 'not played';
}
