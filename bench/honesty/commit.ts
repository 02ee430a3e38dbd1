import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What is played, `+` where the checkout differs from its commit. */
export async function currentCommit(): Promise<string> {
  const git = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('git', args, { cwd: import.meta.dirname })).stdout.trim();
  const id = await git('rev-parse', '--short', 'HEAD');
  const isDirty = (await git('status', '--porcelain', '--untracked-files=no')) !== '';
  return isDirty ? `${id}+` : id;
}
