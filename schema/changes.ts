import { z } from 'zod';
import { mediaTypeSchema } from './attachment.ts';
import { changedFileSchema } from './checkpoint.ts';

/** A criterion that a file judges. */
export const judgedSchema = z.strictObject({
  criterionId: z.string(),
  /**
   * `named`: its command runs the file; `asked`: it looks at the file; `by_name`: the file looks
   * like a test, and the command names no file.
   */
  how: z.enum(['named', 'asked', 'by_name']),
});

/** A changed file as lists show it, without its lines. */
export const changeSchema = changedFileSchema.omit({ diff: true, isCut: true }).extend({
  /** Sizes in bytes; null = it was not there. */
  bytes: z.strictObject({ before: z.int().nullable(), after: z.int().nullable() }),
  /** A tool wrote it, as its name says. */
  isGenerated: z.literal(true).optional(),
  /** What it counts as; absent while the goal has no scope. */
  scope: z.enum(['in', 'beyond']).optional(),
  judges: z.array(judgedSchema),
});

export const goalChangesSchema = z.strictObject({
  from: z.string(),
  /** A checkpoint, or `now`. */
  to: z.string(),
  /** By path. */
  files: z.array(changeSchema),
  /** Sums over all files, including those of other pages. */
  total: z.strictObject({ files: z.int(), added: z.int(), removed: z.int(), beyond: z.int() }),
  /** Files in the workspace that are too large to be compared. */
  leftOut: z.array(z.string()),
  nextCursor: z.string().nullable(),
});

/** A part of a file's unified diff, and what the record tells of it. */
export const changedHunkSchema = z.strictObject({
  oldStart: z.int(),
  oldLines: z.int(),
  newStart: z.int(),
  newLines: z.int(),
  /** The line above that git takes for the head of what follows. */
  section: z.string(),
  /** With their signs. */
  lines: z.array(z.string()),
  /** Turns in which its lines were written; none where the checkpoints don't tell. */
  turns: z.array(z.int()),
  /** Ends of the calls that wrote the file in these turns; one of them wrote the hunk. */
  rows: z.array(z.strictObject({ seq: z.int(), turn: z.int(), tool: z.string() })),
  /** Why turns and rows are not all that wrote it; null = they are. */
  unknown: z.string().nullable(),
  /** Criteria whose newest good run was older than one of the rows, with no write between them. */
  madeStale: z.array(z.string()),
});

const binaryEndSchema = z.strictObject({
  bytes: z.int(),
  /** Null = it is too large to be read. */
  sha256: z.string().nullable(),
  /** Of an image whose header holds; null = it is none, or a secret stands in it. */
  picture: z.strictObject({ mediaType: mediaTypeSchema, base64: z.string() }).nullable(),
});

/** What can be told of a file without lines; an end is null where it was not there. */
const binaryChangeSchema = z.strictObject({
  before: binaryEndSchema.nullable(),
  after: binaryEndSchema.nullable(),
});

export const fileChangesSchema = z.strictObject({
  from: z.string(),
  to: z.string(),
  path: z.string(),
  /** Then there are no hunks. */
  isBinary: z.boolean(),
  /** Null where it has lines. */
  binary: binaryChangeSchema.nullable(),
  hunks: z.array(changedHunkSchema),
  nextCursor: z.string().nullable(),
});

export type Judged = z.infer<typeof judgedSchema>;
export type FileChange = z.infer<typeof changeSchema>;
export type GoalChanges = z.infer<typeof goalChangesSchema>;
export type ChangedHunk = z.infer<typeof changedHunkSchema>;
export type BinaryChange = z.infer<typeof binaryChangeSchema>;
export type FileChanges = z.infer<typeof fileChangesSchema>;
