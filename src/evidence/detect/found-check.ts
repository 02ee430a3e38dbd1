import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Purpose = 'test' | 'typecheck' | 'lint' | 'build';

/** A check that a project defines. Running it tells whether it works. */
export interface FoundCheck {
  readonly purpose: Purpose;
  readonly command: string;
}

/** One type of project: the file of its name says how its checks are found. */
export type Detector = (workspace: string) => Promise<readonly FoundCheck[]>;

/** The file's text; null when it doesn't exist or can't be read. */
export const readText = (workspace: string, name: string): Promise<string | null> =>
  readFile(join(workspace, name), 'utf8').catch(() => null);
