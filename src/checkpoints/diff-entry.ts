import type { ChangedFile } from '../../schema/checkpoint.ts';

/** A file that differs, with the ids of its contents; null = it was not there. */
export interface DiffEntry {
  readonly file: ChangedFile;
  readonly before: string | null;
  readonly after: string | null;
}
