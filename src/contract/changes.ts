import type { FileChanges, GoalChanges } from '../../schema/changes.ts';
import type { Checkpoints, GoalDiff } from '../../schema/checkpoint.ts';
import type { Goal } from '../../schema/goal.ts';

export interface Ends {
  /** A turn, the name of a checkpoint, or `now`; absent = the beginning. */
  readonly from?: string | undefined;
  /** Absent = now. */
  readonly to?: string | undefined;
}

export interface DiffQuery extends Ends, DiffPage {}

/** Of `list`, numbers of files; of `file`, numbers of lines. */
export interface ChangesQuery extends Ends {
  readonly offset: number;
  readonly limit: number;
}

export type ChangedGoal = Pick<Goal, 'goalId' | 'workspace' | 'criteria' | 'scope'>;

/** A goal's files as people see them: only where the API runs beside them. */
export interface ChangesPort {
  checkpoints(goalId: string): Promise<Checkpoints>;
  /** @throws Refusal */
  diff(goal: Pick<Goal, 'goalId' | 'workspace'>, query: DiffQuery): Promise<GoalDiff>;
  /** The changed files, and what they count as. @throws Refusal */
  list(goal: ChangedGoal, query: ChangesQuery): Promise<GoalChanges>;
  /** One file's lines, and who wrote them. @throws Refusal */
  file(goal: ChangedGoal, path: string, query: ChangesQuery): Promise<FileChanges>;
}

export interface DiffPage {
  /** Number of the first file that is shown. */
  readonly offset: number;
  readonly limit: number;
  /** Without texts. */
  readonly isStat: boolean;
}
