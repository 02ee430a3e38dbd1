import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isBranchName } from '../../src/forge/branch-name.ts';
import { keepLocally } from '../../src/forge/keep.ts';
import { gitIn, startRepository } from '../support/git.ts';
import { temporaryFolder } from '../tools/support.ts';

const made = async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'a.txt'), 'one');
  const git = startRepository(folder);
  return { folder, git, head: git('rev-parse', 'HEAD') };
};

/** A repository that borrows the folder's objects, with a commit of its own. */
async function scratchOf(folder: string, head: string) {
  const scratch = await temporaryFolder();
  const git = gitIn(scratch);
  git('init', '-q', '--bare', '.');
  await writeFile(join(scratch, 'objects/info/alternates'), join(folder, '.git/objects\n'));
  const dated = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  const commit = git(...dated, 'commit-tree', `${head}^{tree}`, '-p', head, '-m', 'proven');
  return { scratch, commit };
}

test('CON-152 several calls at once make the branch once, and all of them say so', async () => {
  const { folder, git, head } = await made();
  const { scratch, commit } = await scratchOf(folder, head);
  const branch = 'proven/g-1';
  const calls = Array.from({ length: 6 }, () =>
    keepLocally(commit, scratch, process.env, { folder, branch }),
  );
  await Promise.all(calls);
  expect(git('rev-parse', branch)).toBe(commit);
  await expect(keepLocally(head, scratch, process.env, { folder, branch })).rejects.toThrow(
    'has other commits',
  );
});

test('CON-153 what git takes for a branch is one, and no more', async () => {
  const { folder } = await made();
  const names = [
    'HEAD',
    '@{-1}',
    '-x',
    'a..b',
    'x.lock',
    'a b',
    'x\ny',
    '\u202eab',
    '',
    'wörk/ünd',
    'a/b',
  ];
  const taken = await Promise.all(names.map(async (name) => await isBranchName(folder, name)));
  expect(names.filter((_, index) => taken[index])).toEqual(['wörk/ünd', 'a/b']);
});
