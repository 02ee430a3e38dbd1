import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addWorktree, beginBranch, commitWork, removeWorktree } from '../../src/worktrees/git.ts';
import { startRepository } from '../support/git.ts';
import { describeWith, PROCESS_NUMBERS, ROOT, testWith } from '../support/needs.ts';
import { whileSwapping } from '../support/swapping.ts';
import { temporaryFolder } from '../tools/support.ts';

const OWNER = 12_345;

/** A repository, a folder for worktrees of the host's, and a folder of the host's with a file. */
async function ground(isGivenAway = false) {
  const root = await realpath(await temporaryFolder());
  const [origin, home, victim] = ['origin', 'home', 'victim'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [origin, home, victim]) mkdirSync(folder);
  writeFileSync(join(origin, 'a.txt'), 'a\n');
  writeFileSync(join(victim, 'kept'), 'of the host');
  const git = startRepository(origin);
  const head = git('rev-parse', 'HEAD');
  chmodSync(root, 0o711);
  chmodSync(home, 0o700);
  if (isGivenAway) execFileSync('chown', ['-R', `${OWNER}:${OWNER}`, origin]);
  const state = () => ({
    names: readdirSync(victim, { recursive: true }),
    kept: readFileSync(join(victim, 'kept'), 'utf8'),
    owner: statSync(join(victim, 'kept')).uid,
    changed: statSync(victim).ctimeMs,
  });
  return { root, origin, victim, tree: join(home, 'worktrees/g-1.1.1'), head, git, state };
}

const ofOthers = (folder: string, uid: number): string[] =>
  execFileSync('find', [folder, '!', '-uid', String(uid)], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);

testWith(ROOT)(
  'BOX-29: what the host’s git makes in somebody’s repository and their tree is theirs, in a home that is closed to them',
  async () => {
    const { origin, tree, head, git } = await ground(true);
    await addWorktree(origin, tree, head);
    await beginBranch(tree, 'goal/g-1', head);
    writeFileSync(join(tree, 'b.txt'), 'b\n');
    const { result, leftOut } = await commitWork(
      { path: tree, branch: 'goal/g-1', base: head },
      'work',
    );
    const { commit, files } = result;
    expect([files, leftOut]).toEqual([1, []]);
    expect(git('rev-parse', 'goal/g-1')).toBe(commit);
    expect(ofOthers(origin, OWNER)).toEqual([]);
    expect(ofOthers(tree, OWNER)).toEqual([join(tree, 'b.txt')]);
    await removeWorktree(tree);
    expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  },
);

describeWith(PROCESS_NUMBERS, 'BOX-29: links lead the host’s git nowhere', () => {
  test('out of a repository whose objects are one', async () => {
    const { origin, victim, tree, head, state } = await ground();
    await addWorktree(origin, tree, head);
    await beginBranch(tree, 'goal/g-1', head);
    const at = join(origin, '.git/objects');
    renameSync(at, join(victim, 'moved'));
    symlinkSync(join(victim, 'moved'), at);
    const before = state();
    writeFileSync(join(tree, 'b.txt'), 'b\n');
    await commitWork({ path: tree, branch: 'goal/g-1', base: head }, 'work').catch(() => {});
    await addWorktree(origin, `${tree}-more`, head).catch(() => {});
    expect(state()).toEqual(before);
  });

  test('while something swaps it with one', async () => {
    const { root, origin, victim, tree, head, git, state } = await ground(ROOT.isThere);
    await addWorktree(origin, tree, head);
    const before = state();
    const swap = {
      at: join(origin, '.git/refs/heads'),
      target: victim,
      aside: join(root, 'aside'),
    };
    await whileSwapping(swap, async () => {
      for (let round = 0; round < 8; round += 1) {
        writeFileSync(join(tree, 'b.txt'), `${round}\n`);
        await commitWork({ path: tree, branch: `goal/g-${round}`, base: head }, 'work').catch(
          () => {},
        );
      }
    });
    expect(state()).toEqual(before);
    expect(git('rev-parse', 'HEAD')).toBe(head);
  });

  test('a folder that names a repository which does not know it gets no worktree of it', async () => {
    const { root, origin, tree, head } = await ground();
    const folder = join(root, 'folder');
    mkdirSync(folder);
    writeFileSync(join(folder, '.git'), `gitdir: ${origin}/.git\n`);
    await expect(addWorktree(folder, tree, head)).rejects.toThrow('which does not know it');
  });
});
