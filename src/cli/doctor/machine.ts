import { execFile } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { type Finding, good, warning } from './finding.ts';

const run = promisify(execFile);

/** Without git there are no worktrees, no checkpoints and no proofs by scope. */
export async function gitHere(): Promise<Finding> {
  try {
    const { stdout } = await run('git', ['--version']);
    return good('git', stdout.trim().replace(/^git version /, ''));
  } catch {
    return warning('git', 'is not found: worktrees, diffs and the proof need it. Install git.');
  }
}

const LOW_BYTES = 2e9;

/** Where the service keeps its database, outputs and checkpoints. */
export async function diskHere(home: string, low = LOW_BYTES): Promise<Finding> {
  const { bavail, bsize } = await existing(home);
  const free = Number(bavail) * Number(bsize);
  const said = `${(free / 1e9).toFixed(1)} GB free at ${home}`;
  if (free >= low) return good('disk', said);
  return warning('disk', `${said}, low below 2 GB: free some, or set GOALKEEPER_HOME elsewhere.`);
}

/** A home that was not made yet will be on the disk of its folder. */
async function existing(path: string): ReturnType<typeof statfs> {
  try {
    return await statfs(path);
  } catch (error) {
    if (dirname(path) === path) throw error;
    return await existing(dirname(path));
  }
}
