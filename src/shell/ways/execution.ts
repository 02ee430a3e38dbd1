import type { Path } from '../read/path.ts';
import type { Statement, Step } from '../read/script.ts';

/** Facts that hold for all commands of a script while its paths are followed. */
export interface Execution {
  readonly workspace?: string | undefined;
  /** How deep functions and nested scripts call each other. */
  readonly depth: number;
  /** A condition, a negation or an "and" looks at the status, so `set -e` doesn't. */
  readonly isGuarded: boolean;
  /**
   * Filters, spelled as `filtersIn` does, where only checks may fail (a `cd` or a filter of output
   * says nothing about the work). Null: anything may fail.
   */
  readonly harmless: ReadonlySet<string> | null;
  readonly runSteps: (
    steps: readonly Step[],
    starts: readonly Path[],
    execution: Execution,
  ) => readonly Path[];
  readonly runStatement: (
    statement: Statement,
    path: Path,
    execution: Execution,
  ) => readonly Path[];
}
