import { z } from 'zod';

/** A backup is a folder: this file, a list of all else with its SHA-256, `home/` and `postgres/`. */
export const BACKUP_FORMAT = 'goalkeeper/backup';
/** Another number wherever a reader of this one would misread what is written. */
export const BACKUP_VERSION = 2;

export const HEAD = 'backup.json';
export const LIST = 'files.sha256';
export const HOME = 'home';
export const DATA = 'postgres';

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
  /** What goals had closed to whoever made it: paths in the home. */
  leftOut: z.array(z.string()).default([]),
  /** Of the list of files. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export type Backup = z.infer<typeof backupSchema>;

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
