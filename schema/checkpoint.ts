import { z } from 'zod';
import { inForms, oneOfFields } from './forms.ts';

/** The workspace as it was: at the end of a turn, or around a rewind. */
export const checkpointSchema = z.strictObject({
  /**
   * `t3`: after turn 3, `t0`: before the first write; `r1`: before the first rewind, `a1`: after it;
   * `r1.2`: before it, with what people changed while it was cut off.
   */
  name: z.string(),
  turn: z.int(),
  kind: z.enum(['turn', 'before_rewind', 'after_rewind']),
  /** The workspace's write counter at the checkpoint. */
  writeSeq: z.int(),
  /** Number of files that differ from the previous checkpoint; for the first one, all files. */
  changed: z.int(),
  /** Files that are too large for a checkpoint; at most 20 are named. */
  leftOut: z.array(z.string()),
  /** Files, and folders with a trailing slash, that could not be read; at most 20 are named. */
  unread: z.array(z.string()),
  createdAt: z.string(),
});

/** A rewind that a person ordered. */
export const rewindSchema = z.strictObject({
  number: z.int(),
  /** The checkpoint that the workspace was restored to. */
  checkpoint: z.string(),
  by: z.string(),
  state: z.enum(['begun', 'done', 'failed']),
  changed: z.int().optional(),
  /** Paths that could not be restored, and why. */
  left: z.array(z.strictObject({ path: z.string(), why: z.string() })).optional(),
  /** Why it failed. */
  reason: z.string().optional(),
  /**
   * `others_wrote`: others wrote in the workspace after the order, so restoring stopped;
   * `replaced`: a later rewind replaced it; `failed`: see `reason`.
   */
  code: z.enum(['others_wrote', 'replaced', 'failed']).optional(),
  /**
   * Files that people edited while the rewind was interrupted, and the checkpoint that has the
   * edit.
   */
  edited: z.array(z.strictObject({ path: z.string(), checkpoint: z.string() })).optional(),
  createdAt: z.string(),
  endedAt: z.string().optional(),
});

export const checkpointsSchema = z.strictObject({
  checkpoints: z.array(checkpointSchema),
  rewinds: z.array(rewindSchema),
});

export const rewindGoalSchema = inForms(
  z.strictObject({
    /** Back to the state after this turn; 0 = before the first write. */
    turn: z.int().min(0).max(1_000_000).optional(),
    /** Back to the state before the newest rewind. */
    undo: z.literal(true).optional(),
    expectedRevision: z.int().min(1).optional(),
  }),
  oneOfFields(['turn', 'undo']),
  { message: 'give either a turn or undo' },
);

export const changedFileSchema = z.strictObject({
  path: z.string(),
  status: z.enum(['added', 'modified', 'deleted', 'mode', 'type']),
  isBinary: z.boolean(),
  /** Lines; of a binary file none. */
  added: z.int(),
  removed: z.int(),
  /** Unified, with its secrets masked; absent where it was not asked for or is left out. */
  diff: z.string().optional(),
  /** The diff is longer than what is shown. */
  isCut: z.literal(true).optional(),
});

export const goalDiffSchema = z.strictObject({
  from: z.string(),
  /** A checkpoint, or `now`. */
  to: z.string(),
  files: z.array(changedFileSchema),
  /** Totals over all files, including those of other pages. */
  total: z.strictObject({ files: z.int(), added: z.int(), removed: z.int() }),
  /** Files in the workspace that are too large to be compared. */
  leftOut: z.array(z.string()),
  nextCursor: z.string().nullable(),
});

export type Checkpoint = z.infer<typeof checkpointSchema>;
export type Rewind = z.infer<typeof rewindSchema>;
export type Checkpoints = z.infer<typeof checkpointsSchema>;
export type ChangedFile = z.infer<typeof changedFileSchema>;
export type GoalDiff = z.infer<typeof goalDiffSchema>;
