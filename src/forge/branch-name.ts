import { runGit } from '../workspace/git/run-git.ts';

/** Invisible ones turn a line that is shown around; git takes them. */
const UNSEEN = /\p{C}/u;

/**
 * Git's own word for it, as `git branch` takes it: `HEAD` is none, and letters of any script are.
 * What git would read as another branch (`@{-1}`) is none either.
 */
export async function isBranchName(folder: string, name: string): Promise<boolean> {
  if (UNSEEN.test(name)) return false;
  const said = await runGit({ folder }, ['check-ref-format', '--branch', name]);
  return said === `${name}\n`;
}
