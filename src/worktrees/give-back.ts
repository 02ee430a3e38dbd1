import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { handOver, ownerOf } from '../sandbox/command-user.ts';
import { hostProgram } from '../sandbox/program-path.ts';
import { runGit } from '../workspace/git/run-git.ts';

const run = promisify(execFile);

/**
 * What root's git made in somebody's repository becomes theirs, with the tree: commands of the goal
 * run as that user. A file with another name may be one that its owner linked there.
 */
export async function giveBack(tree: string): Promise<void> {
  const asked = ['rev-parse', '--path-format=absolute', '--git-common-dir'];
  const common = (await runGit({ folder: tree }, asked))?.trim();
  const owner = common ? await ownerOf(common) : null;
  if (!common || owner === null) return;
  await handOver(owner, [tree]);
  const made = [
    '-xdev',
    '-user',
    '0',
    '(',
    '-type',
    'd',
    '-o',
    '-type',
    'l',
    '-o',
    '-links',
    '1',
    ')',
  ];
  const given = ['-exec', 'chown', '-h', `${owner.uid}:${owner.gid}`, '{}', '+'];
  await run(hostProgram('find'), [common, ...made, ...given]);
}
