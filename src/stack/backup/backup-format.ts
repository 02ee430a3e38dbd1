import { createHash } from 'node:crypto';
import { z } from 'zod';

/** A backup is a folder: this file, a list of all else with its SHA-256, `home/` and `postgres/`. */
export const BACKUP_FORMAT = 'goalkeeper/backup';
/** Another number wherever a reader of this one would misread what is written. */
export const BACKUP_VERSION = 4;
/** The first one whose head has a digest of its own. */
const FIRST_DIGESTED = 4;

export const HEAD = 'backup.json';
export const LIST = 'files.sha256';
export const HOME = 'home';
export const DATA = 'postgres';

/** Why something is not copied: `no_file` are pipes, sockets and devices. */
const leftOutSchema = z.strictObject({
  path: z.string(),
  why: z.enum(['unreadable', 'too_long', 'holes', 'no_file']),
});

export type LeftOut = z.infer<typeof leftOutSchema>;

const unread = (path: string): LeftOut => ({ path, why: 'unreadable' });

export const backupSchema = z.strictObject({
  format: z.literal(BACKUP_FORMAT),
  version: z.int().min(1),
  at: z.string(),
  /** Version of the product that made it. */
  by: z.string(),
  /** Where it was made: worktrees know their repositories by such paths. */
  home: z.string(),
  /** Of the database; null = its PostgreSQL is somebody's own, and not in it. */
  postgres: z.strictObject({ major: z.int(), schema: z.string() }).nullable(),
  files: z.int(),
  bytes: z.int(),
  /** Bytes on the disk: holes take none. Absent = as many as there are. */
  stored: z.int().optional(),
  /** What is not in it, by its path in the home; the second version told of what may not be read. */
  leftOut: z
    .array(z.union([leftOutSchema, z.string().transform((path) => unread(path))]))
    .default([]),
  /** Of the list of files. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Of the head's own text without these digits; before the fourth version there was none. */
  own: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});

export type Backup = z.infer<typeof backupSchema>;

export const digestOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex');

/** The head's text, which tells of itself whether it is what was written. */
export function writtenHead({ own: _, ...backup }: Backup): string {
  const text = (own: string) => `${JSON.stringify({ ...backup, own }, null, 2)}\n`;
  return text(digestOf(text('')));
}

export const isAsWritten = (text: string, { version, own }: Backup): boolean =>
  own === undefined ? version < FIRST_DIGESTED : digestOf(text.replace(own, '')) === own;

/** What keeps a backup from being made or put back; nothing was changed. */
export class BackupError extends Error {
  readonly code: BackupFault;
  readonly wayOut: string;

  constructor(code: BackupFault, problem: string, wayOut: string) {
    super(problem);
    this.name = 'BackupError';
    this.code = code;
    this.wayOut = wayOut;
  }
}

export type BackupFault =
  /** The place that was named is no place for it. */
  | 'place'
  | 'space'
  /** A disk, a name or a right of the system's, at a path that is told. */
  | 'disk'
  /** A part of the service's own lies too deep for the place, or has more holes than are read. */
  | 'too_long'
  | 'holes'
  | 'running'
  | 'nothing_here'
  /** The user that makes the backup has no right to a part of it. */
  | 'unreadable'
  /** Its database is somebody's own. */
  | 'external'
  /** What was named is no backup, or none that was finished. */
  | 'no_backup'
  | 'too_new'
  | 'other_postgres'
  | 'altered';
