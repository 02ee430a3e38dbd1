import type { ShownChange } from '../../schema/basis-change.ts';
import type { Fence } from './fence.ts';
import type { TestReport } from './test-report.ts';

/** Basis and outcome of a criterion's check before the goal's first write. */
export interface CriterionBaseline {
  readonly criterionId: string;
  /** SHA-256 of the criterion itself: the baseline of another one under this id proves nothing. */
  readonly spec: string;
  readonly entries: Readonly<Record<string, string>>;
  readonly installed: readonly string[];
  readonly report: TestReport | null;
  readonly exitCode: number | null;
  /** Names the copy of the files as they were; null where none was needed or could be kept. */
  readonly tree: string | null;
}

/** Baselines that the gate stores; too large for the goal's own row and for Temporal. */
export interface BasisPort {
  /** Replaces what is known of these criteria. `texts` are by SHA-256. */
  keepBaselines(
    fence: Fence,
    baselines: readonly CriterionBaseline[],
    texts: ReadonlyMap<string, string>,
  ): Promise<void>;
  baselines(goalId: string): Promise<CriterionBaseline[]>;
  texts(goalId: string, hashes: readonly string[]): Promise<Map<string, string>>;
  /**
   * Stores what the gate of this turn found changed; the last gate of a turn overwrites earlier
   * ones.
   */
  keepChanges(fence: Fence, turn: number, changes: readonly ShownChange[]): Promise<void>;
  /** The subset of these goals whose baselines nobody needs any more. */
  finishedGoals(goalIds: readonly string[]): Promise<string[]>;
}
