import type { TrackedCriterion } from '../../schema/criteria.ts';

/** The end of a call, as far as it tells who wrote a file and what that made stale. */
export interface WritingRow {
  readonly seq: number;
  readonly turn: number;
  readonly tool: string;
  readonly hasSucceeded: boolean;
  /** The criterion that the host ran. */
  readonly criterionId: string | null;
  /** The command that it ran. */
  readonly command: string | null;
  readonly hasWritten: boolean;
  /** Null where it did not write the file that is asked about. */
  readonly file: {
    /** SHA-256 of the content that it expected; absent where it did not look; null = no file. */
    readonly before?: string | null;
    /** The same of what it left; absent where the receipt does not tell. */
    readonly after?: string | null;
  } | null;
}

/** From one checkpoint to the next. */
export interface FileStep {
  /** The turn that it belongs to; null = none. */
  readonly turn: number | null;
  /** SHA-256 of the file's content; null = no file. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface StepWriters {
  readonly rows: readonly WritingRow[];
  /** Why the rows don't explain the whole step; null = they do. */
  readonly unknown: string | null;
}

/** The calls that wrote a file in a step, and whether they alone did: their hashes form a chain. */
export function writersOf(step: FileStep, all: readonly WritingRow[]): StepWriters {
  if (step.turn === null) return { rows: [], unknown: 'it was written between turns' };
  const rows = all.filter(({ turn, file }) => turn === step.turn && file !== null);
  if (rows.length === 0)
    return { rows, unknown: `no call of turn ${step.turn} says that it wrote it` };
  let state: string | null | undefined = step.before;
  let isBroken = false;
  for (const { file } of rows) {
    if (file?.before !== undefined && file.before !== state) isBroken = true;
    state = file?.after;
  }
  if (!isBroken && state === undefined) return { rows, unknown: 'a receipt holds no hash of it' };
  isBroken ||= state !== step.after;
  return { rows, unknown: isBroken ? 'something else wrote it as well' : null };
}

/**
 * Criteria that this write made stale: their newest good run is older, and nothing was written
 * between the two.
 */
export function madeStaleBy(
  seq: number,
  criteria: readonly Pick<TrackedCriterion, 'criterionId' | 'spec'>[],
  rows: readonly WritingRow[],
): string[] {
  const earlier = rows.filter((row) => row.seq < seq);
  const lastWrite = earlier.findLast(({ hasWritten }) => hasWritten)?.seq ?? 0;
  return criteria.flatMap(({ criterionId, spec }) => {
    const command = spec.kind === 'command' ? spec.command.trim() : null;
    const run = earlier.findLast(
      (row) =>
        row.hasSucceeded &&
        (row.criterionId === criterionId || (command !== null && row.command?.trim() === command)),
    );
    // A run that wrote something itself is not made stale by that.
    return run !== undefined && run.seq >= lastWrite ? [criterionId] : [];
  });
}
