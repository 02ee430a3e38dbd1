import type { Checkpoints, GoalDiff } from '../../schema/checkpoint.ts';
import type { Goal } from '../../schema/goal.ts';

export interface DiffQuery extends DiffPage {
  /** A turn, the name of a checkpoint, or `now`; absent = the beginning. */
  readonly from?: string | undefined;
  /** Absent = now. */
  readonly to?: string | undefined;
}

/** A goal's files as people see them: only where the API runs beside them. */
export interface ChangesPort {
  checkpoints(goalId: string): Promise<Checkpoints>;
  /** @throws Refusal */
  diff(goal: Pick<Goal, 'goalId' | 'workspace'>, query: DiffQuery): Promise<GoalDiff>;
}

export interface DiffPage {
  /** Number of the first file that is shown. */
  readonly offset: number;
  readonly limit: number;
  /** Without texts. */
  readonly isStat: boolean;
}
