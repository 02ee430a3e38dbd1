import { execFileSync } from 'node:child_process';
import { mkdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { GoalEnd } from '../../src/contract/worktrees.ts';
import { endBranch } from '../../src/worktrees/end-branch.ts';
import { addWorktree, beginBranch, commitWork } from '../../src/worktrees/git.ts';
import { type Git, gitIn, startRepository } from '../support/git.ts';
import { temporaryFolder } from '../tools/support.ts';

const BRANCH = 'goal/g-1';
const DIGEST = 'd'.repeat(64);

/** A goal's tree beside its repository; git answers in it. */
async function openTree(prepare: (git: Git) => void = () => {}) {
  const folder = await temporaryFolder();
  const origin = join(folder, 'origin');
  await mkdir(origin);
  await writeFile(join(origin, 'a.txt'), 'one\n');
  prepare(startRepository(origin));
  const base = gitIn(origin)('rev-parse', 'HEAD');
  const path = join(folder, 'tree');
  await addWorktree(origin, path, base);
  await beginBranch(path, BRANCH, base);
  const git = gitIn(path);
  const own = { goalId: 'g-1', path, branch: BRANCH, base };
  const write = (name: string, text: string) => writeFile(join(path, name), text);
  return { own, base, path, git, write, end: (end: GoalEnd) => endBranch(own, end) };
}

/** Of a proof that has the tree as it stands, or another one. */
const endWith = (tree: string | null): GoalEnd => ({
  objective: 'Write b\nand nothing else',
  level: 'verified',
  proof: tree === null ? null : { tree, digest: DIGEST },
});

const said = (git: Git) => git('log', '-1', '--format=%B', BRANCH);

test('CON-120 what a complete goal did not commit is committed to its branch, with goal, level and proof, and once', async () => {
  const { base, git, write, end } = await openTree();
  await write('b.txt', 'two\n');
  git('add', '-A');
  const tree = git('write-tree');
  const ended = await end(endWith(tree));
  expect(ended).toEqual({
    branch: BRANCH,
    isProven: true,
    leftOut: [],
    result: {
      ...{ base, commit: git('rev-parse', BRANCH), files: 1, added: 1, removed: 0, isEnd: true },
    },
  });
  expect(said(git)).toBe(
    `Write b\n\nWrite b\nand nothing else\n\nGoal-Id: g-1\nGoal-Level: verified\nGoal-Proof: sha256:${DIGEST}`,
  );
  expect(git('rev-parse', `${BRANCH}^`)).toBe(base);
  expect(git('status', '--porcelain')).toBe('');
  expect(await end(endWith(tree))).toEqual(ended);
});

test('CON-159 a branch that somebody checked out a second time by force stays where it is, and ends once that checkout left it', async () => {
  const { own, base, git, write, end } = await openTree();
  const second = `${own.path}-second`;
  git('worktree', 'add', '-q', '--force', second, BRANCH);
  await write('b.txt', 'two\n');
  await expect(end(endWith(null))).rejects.toThrow(
    `${BRANCH} is checked out in ${second} as well, and would move under it: run "git switch --detach" there`,
  );
  await expect(commitWork(own, 'left')).rejects.toThrow('would move under it');
  expect(git('rev-parse', BRANCH)).toBe(base);
  expect(gitIn(second)('status', '--porcelain')).toBe('');
  gitIn(second)('switch', '-q', '--detach');
  const { result } = await end(endWith(null));
  expect(git('rev-parse', BRANCH)).toBe(result.commit);
  // One that is gone holds nothing.
  gitIn(second)('symbolic-ref', 'HEAD', `refs/heads/${BRANCH}`);
  await rm(second, { recursive: true });
  await write('c.txt', 'three\n');
  await expect(commitWork(own, 'left')).resolves.toMatchObject({ leftOut: [] });
});

test('CON-121 commits that a model made stay, and the one behind them says what was proven; no work ends in no commit', async () => {
  const { base, git, write, end } = await openTree();
  expect((await end(endWith(null))).result).toMatchObject({ commit: base, files: 0 });
  expect(git('rev-parse', BRANCH)).toBe(base);
  await write('b.txt', 'two\n');
  git('add', '-A');
  git('commit', '-q', '-m', `mine\n\nGoal-Id: g-1\nGoal-Proof: sha256:${'0'.repeat(64)}`);
  const mine = git('rev-parse', 'HEAD');
  const { result } = await end(endWith(git('rev-parse', 'HEAD^{tree}')));
  expect(git('rev-parse', `${BRANCH}^`)).toBe(mine);
  expect([result.files, git('diff', '--stat', mine, BRANCH)]).toEqual([1, '']);
  expect(git('log', '-1', '--format=%(trailers:key=Goal-Proof,valueonly)', BRANCH)).toBe(
    `sha256:${DIGEST}`,
  );
});

test('CON-122 a tree that is not the proven one bears no proof, and says where the proven one is had', async () => {
  const { git, write, end } = await openTree();
  await write('b.txt', 'two\n');
  const { isProven } = await end(endWith('0'.repeat(40)));
  expect(isProven).toBe(false);
  expect(said(git)).not.toContain('Goal-Proof');
  expect(said(git)).toContain('"goalkeeper pr --local g-1" commits that one.');
  expect(git('log', '-1', '--format=%(trailers:key=Goal-Level,valueonly)', BRANCH)).toBe(
    'verified',
  );
});

test('CON-123 a branch that a command left, or that no commit can be whole of, ends all the same and tells it', async () => {
  const { path, git, write, end } = await openTree();
  await write('b.txt', 'two\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'theirs');
  const theirs = git('rev-parse', 'HEAD');
  git('checkout', '-q', '-b', 'elsewhere', 'HEAD~1');
  await write('c.txt', 'three\n');
  await writeFile(join(path, 'large.bin'), '');
  await truncate(join(path, 'large.bin'), 101 * 1024 * 1024);
  const { branch, result } = await end(endWith(null));
  expect([branch, result.leftOut]).toEqual([`${BRANCH}-left`, ['large.bin']]);
  expect(git('rev-parse', BRANCH)).toBe(theirs);
  expect(git('show', `${branch}:c.txt`)).toBe('three');
});

test('CON-124 whoever settles the same tree at once fails nobody and loses nothing', async () => {
  const { own, base, git, write, end } = await openTree();
  await write('b.txt', 'two\n');
  const settled = await Promise.all([
    commitWork(own, 'Work of the goal g-1'),
    end(endWith(null)),
    commitWork(own, 'Work of the goal g-1'),
  ]);
  for (const { result } of settled) expect(result).toMatchObject({ files: 1, added: 1 });
  expect(git('diff', '--name-only', base, BRANCH)).toBe('b.txt');
  expect(git('for-each-ref', '--format=%(refname:short)', 'refs/heads/goal')).toBe(BRANCH);
  const { result } = await end(endWith(null));
  expect(git('log', '-1', '--format=%(trailers:key=Goal-Level,valueonly)', BRANCH)).toBe(
    'verified',
  );
  expect(git('rev-parse', BRANCH)).toBe(result.commit);
});

test('CON-126 a repository that a model made and committed is files on the branch, and what is gone begins anew', async () => {
  const { base, path, git, write, end } = await openTree();
  await mkdir(join(path, 'lib'));
  await write('lib/work.txt', 'precious\n');
  const inner = startRepository(join(path, 'lib'));
  git('add', '-A');
  git('commit', '-q', '-m', 'with a library');
  expect(git('ls-tree', 'HEAD', 'lib')).toMatch(/^160000 /);
  const { result } = await end(endWith(null));
  expect(git('show', `${BRANCH}:lib/work.txt`)).toBe('precious');
  expect(git('ls-tree', '-r', '--name-only', BRANCH)).toBe('a.txt\nlib/work.txt');
  expect(inner('log', '--format=%s')).toBe('start');
  expect((await end(endWith(null))).result).toEqual(result);
  git('update-ref', '-d', `refs/heads/${BRANCH}`);
  expect((await end(endWith(null))).result.files).toBe(1);
  expect(git('rev-parse', `${BRANCH}^`)).toBe(base);
  expect(git('show', `${BRANCH}:lib/work.txt`)).toBe('precious');
});

test('CON-127 a branch that git can not make fails the worktree, and an objective plants no trailers', async () => {
  const { base, path, git, write, end } = await openTree();
  git('update-ref', 'refs/heads/taken', base);
  await expect(beginBranch(path, 'taken/g-1', base)).rejects.toThrow('update-ref failed');
  await write('b.txt', 'two\n');
  const objective = `Write b\n\nGoal-Proof: sha256:${'0'.repeat(64)}\n---\nand more`;
  await end({ ...endWith(null), objective });
  const parsed = execFileSync('git', ['interpret-trailers', '--parse'], {
    input: said(git),
    encoding: 'utf8',
  });
  expect(parsed).toBe('Goal-Id: g-1\nGoal-Level: verified\n');
});

const PINNED = '1'.repeat(40);
const withSubmodule = (git: Git) => {
  git('update-index', '--add', '--cacheinfo', `160000,${PINNED},sub`);
  git('commit', '-q', '-m', 'sub');
};

test('CON-134 a proof has no submodules, and its branch has those of the base as they were: then it is proven', async () => {
  const { path, git, write, end } = await openTree(withSubmodule);
  await write('b.txt', 'two\n');
  const plain = await temporaryFolder();
  await writeFile(join(plain, 'a.txt'), 'one\n');
  await writeFile(join(plain, 'b.txt'), 'two\n');
  const tree = startRepository(plain)('rev-parse', 'HEAD^{tree}');
  expect(await end(endWith(tree))).toMatchObject({ isProven: true, leftOut: [] });
  expect(said(git)).toContain(`Goal-Proof: sha256:${DIGEST}`);
  expect(git('ls-tree', BRANCH, 'sub')).toBe(`160000 commit ${PINNED}\tsub`);
  // What somebody wrote there is told: a commit of this repository can't hold it.
  await write('sub/mine.txt', 'x');
  expect((await end(endWith(tree))).leftOut).toEqual(['sub/mine.txt']);
  await rm(join(path, 'sub/mine.txt'));
  git('update-index', '--cacheinfo', `160000,${'2'.repeat(40)},sub`);
  git('commit', '-q', '-m', 'moved');
  expect((await end(endWith(tree))).isProven).toBe(false);
});
