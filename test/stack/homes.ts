import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../src/stack/postgres.ts';
import { memoryFolder } from '../support/memory-folder.ts';

let prepared: Promise<string> | null = null;

/**
 * A home whose PostgreSQL was initialised and stopped: a copy, which costs a tenth of doing that
 * again. The first start with an empty home has tests of its own.
 */
export async function homeWithCluster(prefix: string): Promise<string> {
  // One start that fails on a busy machine must not fail all tests that come after it.
  prepared ??= initialise().catch((error: unknown) => {
    prepared = null;
    throw error;
  });
  const home = memoryFolder(prefix);
  // The cluster belongs to the user that PostgreSQL runs as.
  execFileSync('cp', ['-a', `${await prepared}/.`, home]);
  // It names the folder that it was made in.
  rmSync(join(home, 'postgres-folder'), { force: true });
  return home;
}

/** In the run's own folder, which goes with it. */
async function initialise(): Promise<string> {
  const home = mkdtempSync(join(process.env.GOALKEEPER_TEST_FOLDER ?? tmpdir(), 'cluster-'));
  await (await startPostgres({ home, port: 0 })).stop();
  return home;
}
