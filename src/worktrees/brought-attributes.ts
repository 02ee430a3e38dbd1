import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilesProblem } from '../contract/worktrees.ts';
import { readSmall } from '../sandbox/safe-read.ts';
import { worktreeProblemOf } from '../workspace/git/plain-files.ts';
import { GitSilent, runGit } from '../workspace/git/run-git.ts';
import { makeScratch, removeScratch } from '../workspace/scratch.ts';

/** Paths that git is told at once. */
const AT_ONCE = 100;
/** Of more it is asked about all files at once. */
const MOST_NAMED = 1000;

/**
 * Whether git would take files of a commit for others once they lie there as the commit has them,
 * by the attributes that come with it. It is asked in an empty repository that borrows the objects.
 *
 * @param common the repository
 * @param tree a commit or a tree
 * @param paths those that come with it
 * @param objects of another repository, which has the tree
 * @throws GitSilent
 */
export async function broughtProblemOf(
  common: string,
  tree: string,
  paths: readonly string[],
  objects = common,
): Promise<FilesProblem | null> {
  const folder = await makeScratch('checkout');
  const git = async (...args: string[]) => {
    const answer = await runGit({ folder }, args);
    if (answer === null) throw new GitSilent(args);
    return answer;
  };
  try {
    await git('init', '-q', '.');
    const own = join(folder, '.git');
    await writeFile(join(own, 'objects/info/alternates'), `${join(objects, 'objects')}\n`);
    await mkdir(join(own, 'info'), { recursive: true });
    const attributes = (await readSmall(join(common, 'info/attributes'))) ?? '';
    if (attributes !== '') await writeFile(join(own, 'info/attributes'), attributes);
    await git('read-tree', tree);
    const problem = await worktreeProblemOf(folder);
    if (problem !== null || !(await hasAttributes(git, attributes))) return problem;
    // Other attributes speak of files that stay as well.
    const isOfAll = paths.some((path) => /(?:^|\/)\.gitattributes$/.test(path));
    const asked = isOfAll || paths.length > MOST_NAMED ? ['.'] : paths;
    const brought = new Set(paths);
    for (let at = 0; at < asked.length; at += AT_ONCE) {
      const part = asked.slice(at, at + AT_ONCE);
      const told = await git('--literal-pathspecs', 'ls-files', '--eol', '-z', '--', ...part);
      const found = told.split('\0').filter(isTakenForText).map(pathOf);
      if (found.some((path) => isOfAll || brought.has(path))) return 'line_ends';
    }
    return null;
  } finally {
    await removeScratch(folder);
  }
}

const hasAttributes = async (
  git: (...args: string[]) => Promise<string>,
  own: string,
): Promise<boolean> =>
  own !== '' || (await git('ls-files', '-z', '--', ':(glob)**/.gitattributes')) !== '';

const pathOf = (line: string): string => line.slice(line.indexOf('\t') + 1);

/** CRLF where git wants LF; by `text=auto` it leaves what was committed so. */
const isTakenForText = (line: string): boolean =>
  /^i\/(?:crlf|mixed)\s.*attr\/text(?:\s|\t)/s.test(line);
