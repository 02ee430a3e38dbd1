import type { Lot } from './pins.ts';

/** A text by which a check judges; the command itself has no path. */
export interface JudgeText {
  readonly path: string | null;
  readonly text: string;
  /** Absent where all of it judges: the lines that do, trimmed. */
  readonly lines?: ReadonlySet<string>;
}

export interface Judge {
  /** Where the check begins: its command, and the files that it runs. */
  readonly texts: readonly JudgeText[];
  /** Files that texts of the judge name, and that hold what is compared. */
  readonly data: readonly JudgeText[];
  /** Names of tests that have to notice; none where no runner tells. */
  readonly tests: readonly string[];
  /** Names of other tests, which end the part of one that has to. */
  readonly others: readonly string[];
  readonly isPath: (value: string) => boolean;
  /** Lines of a text at which the check failed on the original, from 1; absent where it held. */
  readonly failedAt?: (path: string) => readonly number[];
  /** Texts that the check certainly runs. */
  readonly isRun?: (path: string) => boolean;
  /** Data that this failure named, as `diff` does. */
  readonly blamed?: readonly string[];
  /** Files of it that nobody read: too many, too large, or no text. */
  readonly unread?: {
    readonly texts: readonly string[];
    /** What its texts name, and what tells of a build. */
    readonly beside: readonly string[];
  };
  readonly lot?: Lot;
}
