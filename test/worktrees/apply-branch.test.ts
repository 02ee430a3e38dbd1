import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { AppliedBranch } from '../../schema/applied-branch.ts';
import type { ApplyGround, ApplyRef } from '../../src/contract/applies.ts';
import { Refusal } from '../../src/contract/failures.ts';
import { placeEntry } from '../../src/workspace/helper/place-entry.ts';
import { type ApplyHost, applyBranch, finishApply } from '../../src/worktrees/finish-apply.ts';
import { addWorktree, beginBranch } from '../../src/worktrees/git.ts';
import { gitIn, startRepository } from '../support/git.ts';
import { temporaryFolder } from '../tools/support.ts';

const ref: ApplyRef = { goalId: 'g-1', commitId: 'c-1' };

async function put(root: string, files: Readonly<Record<string, string | null>>) {
  for (const [name, text] of Object.entries(files)) {
    await rm(join(root, name), { recursive: true, force: true });
    if (text === null) continue;
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
}

/** A repository, a goal's tree of it, and a service that applies the one to the other. */
async function ground(
  files: Readonly<Record<string, string>> = { 'a.txt': 'one\n' },
  second?: Readonly<Record<string, string>>,
) {
  const root = await temporaryFolder();
  const path = join(root, 'shop');
  const treePath = join(root, 'tree');
  await mkdir(path);
  await put(path, files);
  const git = startRepository(path);
  if (second !== undefined) {
    await put(path, second);
    git('commit', '-qam', 'second');
  }
  const base = git('rev-parse', 'HEAD');
  await addWorktree(path, treePath, base);
  await beginBranch(treePath, 'goal/g-1', base);
  const told: AppliedBranch[] = [];
  const returned: ApplyRef[] = [];
  const abandoned: ApplyRef[] = [];
  let onPlaced = async () => {};
  const found: ApplyGround = {
    ...{ ...ref, branch: 'goal/g-1', treePath, base, formerHelper: null },
    workspace: { name: 'shop', path },
  };
  /** Places as many files, and then dies. */
  const hostOf = (most = Number.POSITIVE_INFINITY): ApplyHost => {
    let placed = 0;
    return {
      ...{ home: join(root, 'home'), host: 'here', workerId: 'w' },
      endHelper: async () => {},
      startEffects: () => ({
        runCommand: () => Promise.reject(new Error('no command runs')),
        writeFile: () => Promise.reject(new Error('no other write')),
        async placeEntry(order) {
          if (placed++ >= most) throw new Error('the worker died');
          await onPlaced();
          return await placeEntry(order);
        },
        close: async () => {},
      }),
      applies: {
        endOf: async () => null,
        queueOf: async () => 'here',
        take: async () => found,
        recordHelper: async () => {},
        tellApplied: async (_ref, applied) => void told.push(applied),
        giveBack: async (given) => void returned.push(given),
        leave: async (given) => void abandoned.push(given),
      },
    };
  };
  const apply = (most?: number) => applyBranch(hostOf(most), ref, new AbortController().signal);
  const finish = () => finishApply(hostOf(), ref.commitId);
  const refusal = async () => {
    const error = await apply().catch((reason: unknown) => reason);
    if (!(error instanceof Refusal)) throw error;
    expect(error.code).toBe('cannot_apply');
    return { ...error.data, detail: error.message };
  };
  const text = (name: string) => readFile(join(path, name), 'utf8');
  const status = () => git('status', '--porcelain', '--untracked-files=all');
  const home = join(root, 'home');
  const whilePlacing = (act: () => Promise<void>) => {
    onPlaced = act;
  };
  return {
    ...{ path, treePath, git, base, apply, finish, refusal, text, status },
    ...{ told, returned, abandoned, whilePlacing, home },
  };
}

test('CON-79, PULL-23: a goal’s branch comes into its workspace with all that it wrote, under a commit that names it, and again there is nothing to do', async () => {
  const { path, treePath, git, apply, text, status, told } = await ground({
    ...{ 'a.txt': 'one\n', 'gone.txt': 'gone\n', 'kept.txt': 'kept\n' },
    ...{ 'file-to-folder': 'x\n', 'folder/to/file': 'y\n' },
  });
  await writeFile(join(path, 'kept.txt'), 'edited by its owner\n');
  await put(treePath, {
    ...{ 'a.txt': 'two\n', 'gone.txt': null, 'run.sh': 'echo\n', 'new/deep/file.txt': 'new\n' },
    'file-to-folder': null,
    folder: null,
  });
  await put(treePath, { 'file-to-folder/inner': 'x\n', folder: 'now a file\n' });
  await chmod(join(treePath, 'run.sh'), 0o755);
  await symlink('a.txt', join(treePath, 'link'));
  const applied = await apply();
  expect(applied).toMatchObject({ branch: 'goal/g-1', workspace: 'shop', isNew: true, left: [] });
  expect(git('rev-parse', 'main')).toBe(git('rev-parse', 'goal/g-1'));
  expect(applied.commit).toBe(git('rev-parse', 'HEAD'));
  // PULL-23
  expect(git('log', '-1', '--format=%(trailers:key=Goal-Id,valueonly)', 'main')).toBe('g-1');
  expect(status()).toBe('M kept.txt');
  expect(await text('a.txt')).toBe('two\n');
  expect(await text('file-to-folder/inner')).toBe('x\n');
  expect(await text('folder')).toBe('now a file\n');
  expect(await text('new/deep/file.txt')).toBe('new\n');
  expect(existsSync(join(path, 'gone.txt'))).toBe(false);
  expect(statSync(join(path, 'run.sh')).mode & 0o777).toBe(0o755);
  expect(await apply()).toMatchObject({ isNew: false, files: 0, commit: applied.commit });
  expect(told.map(({ isNew }) => isNew)).toEqual([true, false]);
});

test('CON-79: where the workspace went on, git merges; nothing that the repository would run runs', async () => {
  const lines = Array.from({ length: 20 }, (_, n) => `line ${n}\n`);
  const { path, treePath, git, apply, text, status } = await ground({
    'a.txt': lines.join(''),
    '.gitattributes': 'a.txt merge=mine\n',
  });
  git('config', 'merge.mine.driver', 'touch merged-by-driver; false');
  git('config', 'core.hooksPath', 'hooks');
  await put(path, { 'hooks/post-checkout': '#!/bin/sh\ntouch ran\n' });
  await put(path, { 'hooks/reference-transaction': '#!/bin/sh\ntouch ran\n' });
  await chmod(join(path, 'hooks/post-checkout'), 0o755);
  await chmod(join(path, 'hooks/reference-transaction'), 0o755);
  await put(path, { 'a.txt': ['first\n', ...lines].join(''), 'theirs.txt': 'theirs\n' });
  git('-c', 'core.hooksPath=/dev/null', 'add', 'a.txt', 'theirs.txt');
  git('-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', 'theirs');
  const theirs = git('rev-parse', 'HEAD');
  await put(treePath, { 'a.txt': [...lines, 'last\n'].join(''), 'mine.txt': 'mine\n' });
  const { commit, files } = await apply();
  expect(git('show', '-s', '--format=%P', commit).split(' ')[0]).toBe(theirs);
  expect(git('show', '-s', '--format=%B', commit)).toContain('Goal-Id: g-1');
  expect(files).toBe(2);
  expect(await text('a.txt')).toBe(['first\n', ...lines, 'last\n'].join(''));
  expect(await text('mine.txt')).toBe('mine\n');
  expect(status()).not.toMatch(/a\.txt|mine|theirs/);
  for (const name of ['ran', 'merged-by-driver']) {
    expect(existsSync(join(path, name))).toBe(false);
  }
});

test('CON-80: a conflict, and what is uncommitted in its way, refuse it by name, and nothing is changed', async () => {
  const { path, treePath, git, base, refusal, status, returned, home } = await ground({
    ...{ 'a.txt': 'one\n', 'b.txt': 'one\n', '.gitignore': '*.local\n' },
  });
  await put(treePath, { 'a.txt': 'of the goal\n', 'new.txt': 'new\n', 'kept/x': 'x\n' });
  gitIn(treePath)('add', '-A');
  await put(treePath, { '.gitignore': '' });
  await put(treePath, { 'my.local': 'of the goal\n' });
  const refusedBy = async (files: readonly string[], problem = 'uncommitted') => {
    const before = status();
    expect(await refusal()).toMatchObject({ field: 'workspace', problem, files });
    expect(status()).toBe(before);
    expect(git('rev-parse', 'HEAD')).toBe(base);
  };
  await put(path, { 'a.txt': 'edited\n' });
  await refusedBy(['a.txt']);
  git('add', 'a.txt');
  await put(path, { 'a.txt': 'one\n' });
  await refusedBy(['a.txt']);
  git('reset', '-q');
  await put(path, { 'new.txt': 'untracked\n', 'my.local': 'ignored\n', kept: 'a file\n' });
  await refusedBy(['kept', 'my.local', 'new.txt']);
  await put(path, { 'new.txt': null, 'my.local': null, kept: null, 'a.txt': null });
  await put(path, { 'a.txt/under': 'a folder\n' });
  await refusedBy(['a.txt/under']);
  await put(path, { 'a.txt': 'one\n' });
  git('rm', '-q', '--cached', 'b.txt');
  git('reset', '-q');
  await writeFile(join(path, '.git/MERGE_HEAD'), `${base}\n`);
  expect(await refusal()).toMatchObject({ problem: 'under_way' });
  await rm(join(path, '.git/MERGE_HEAD'));
  await put(path, { 'a.txt': 'of its owner\n' });
  git('commit', '-q', '-a', '-m', 'theirs');
  const theirs = git('rev-parse', 'HEAD');
  expect(await refusal()).toMatchObject({
    ...{ problem: 'conflict', files: ['a.txt'] },
    detail: expect.stringMatching(/both changed a\.txt: run "git merge goal\/g-1" in /),
  });
  expect([git('rev-parse', 'HEAD'), status()]).toEqual([theirs, '']);
  // Whoever was refused keeps nobody from the workspace, and nothing is left to be ended.
  expect(returned.length).toBe(6);
  expect(existsSync(join(home, 'applies', 'c-1.json'))).toBe(false);
});

test('CON-151 picks that are left to do keep a branch out, also where the one that conflicted is committed', {
  tags: 'campaign',
}, async () => {
  const { path, git, apply } = await ground();
  const base = git('rev-parse', 'HEAD');
  for (const text of ['1\n', '2\n']) {
    await put(path, { 'a.txt': text });
    git('commit', '-q', '-a', '-m', text);
  }
  const picked = [git('rev-parse', 'HEAD~1'), git('rev-parse', 'HEAD')];
  git('reset', '-q', '--hard', base);
  await put(path, { 'a.txt': 'theirs\n' });
  git('commit', '-q', '-a', '-m', 'theirs');
  expect(() => git('cherry-pick', ...picked)).toThrow();
  await put(path, { 'a.txt': 'settled\n' });
  git('commit', '-q', '-a', '-m', 'settled');
  const head = git('rev-parse', 'HEAD');
  await expect(apply()).rejects.toMatchObject({ data: { problem: 'under_way' } });
  expect(git('rev-parse', 'HEAD')).toBe(head);
});

test('CON-80: a folder where the branch has a file conflicts under the name that both have', async () => {
  const { path, treePath, git, apply } = await ground();
  await put(treePath, { place: 'a file\n' });
  await put(path, { 'place/x.txt': 'in a folder\n' });
  git('add', '-A');
  git('commit', '-qm', 'a folder');
  await expect(apply()).rejects.toMatchObject({
    data: { problem: 'conflict', files: ['place'] },
  });
});

test.each(['its owner', 'the goal'])(
  'CON-145, CON-80: where %s begins the history anew, the way that is told works',
  async (who) => {
    const { path, treePath, git, refusal, status } = await ground({ 'a.txt': 'one\n' });
    await put(treePath, { 'b.txt': 'two\n' });
    const amending = who === 'the goal' ? gitIn(treePath) : git;
    amending('commit', '-q', '--amend', '-m', 'another beginning');
    const told =
      /have no commit in common.*run "git (merge --allow-unrelated-histories goal\/g-1)" in /;
    expect(await refusal()).toMatchObject({
      problem: 'unable',
      detail: expect.stringMatching(told),
    });
    expect(status()).toBe('');
    git('merge', '-q', '--no-edit', '--allow-unrelated-histories', 'goal/g-1');
    expect(await readFile(join(path, 'b.txt'), 'utf8')).toBe('two\n');
  },
);

test('CON-145 a branch without the commit that it began with conflicts by that, and not because the workspace went on', {
  tags: 'campaign',
}, async () => {
  const { treePath, refusal } = await ground({ 'a.txt': 'one\n' }, { 'a.txt': 'second\n' });
  await put(treePath, { 'a.txt': 'theirs\n' });
  gitIn(treePath)('commit', '-q', '-a', '--amend', '-m', 'amended');
  expect(await refusal()).toMatchObject({
    problem: 'conflict',
    detail: expect.stringMatching(/^goal\/g-1 has not the commit any more .* changed a\.txt/),
  });
});

test('CON-80: a tree that names git’s own folder, or moves a submodule, is brought in by nobody', async () => {
  const { treePath, path, git, base, refusal } = await ground();
  const blob = git('hash-object', '-w', join(path, 'a.txt'));
  const entry = (mode: string, name: string, id: string) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]).toString('latin1');
  const literal = async (mode: string, name: string, id: string) => {
    const file = join(path, '../entries');
    await writeFile(file, Buffer.from(entry(mode, name, id), 'latin1'));
    return git('hash-object', '-t', 'tree', '-w', '--literally', file);
  };
  const hooks = await literal('100755', 'post-merge', blob);
  const dotGit = await literal('40000', '.GIT', hooks);
  const bad = git('commit-tree', '-p', base, '-m', 'bad', dotGit);
  git('update-ref', 'refs/heads/goal/g-1', bad);
  // The tree goes with the goal's clearing; what the branch has is all that is left.
  await rm(treePath, { recursive: true });
  expect(await refusal()).toMatchObject({ problem: 'unsafe_names', files: ['.GIT/post-merge'] });
  const link = await literal('160000', 'module', base);
  git('update-ref', 'refs/heads/goal/g-1', git('commit-tree', '-p', base, '-m', 'bad', link));
  expect(await refusal()).toMatchObject({ problem: 'submodules' });
  git('update-ref', '-d', 'refs/heads/goal/g-1');
  expect(await refusal()).toMatchObject({ problem: 'no_branch' });
  expect(git('rev-parse', 'HEAD')).toBe(base);
  await rename(join(path, '.git'), join(path, '../elsewhere'));
  expect(await refusal()).toMatchObject({ problem: 'git' });
});

test('CON-81: a worker that dies in the middle leaves a plan that the next one ends; what was edited meanwhile stays', async () => {
  const { path, treePath, git, apply, finish, text, status, told, home } = await ground({
    ...{ 'a.txt': 'one\n', 'b.txt': 'one\n', 'c.txt': 'one\n' },
  });
  await put(treePath, { 'a.txt': 'two\n', 'b.txt': 'two\n', 'c.txt': 'two\n' });
  const plan = join(home, 'applies', 'c-1.json');
  await expect(apply(1)).rejects.toThrow('the worker died');
  expect([existsSync(plan), told.length]).toEqual([true, 0]);
  expect([await text('a.txt'), await text('b.txt')]).toEqual(['two\n', 'one\n']);
  await put(path, { 'c.txt': 'edited by its owner\n' });
  await finish();
  expect([await text('b.txt'), await text('c.txt')]).toEqual(['two\n', 'edited by its owner\n']);
  expect(git('rev-parse', 'main')).toBe(git('rev-parse', 'goal/g-1'));
  expect(status()).toBe('M c.txt');
  expect(told).toMatchObject([{ isNew: true, left: [{ path: 'c.txt' }] }]);
  expect(existsSync(plan)).toBe(false);
  await finish();
  expect(told).toHaveLength(1);
});

test('CON-81: of a plan whose branch did not move nothing is left, and a repeat under its key ends one that did', async () => {
  const { treePath, git, base, apply, finish, text, status, home } = await ground();
  await put(treePath, { 'a.txt': 'two\n' });
  await expect(apply(0)).rejects.toThrow('the worker died');
  expect(await apply()).toMatchObject({ isNew: true, files: 1, left: [] });
  expect([await text('a.txt'), status()]).toEqual(['two\n', '']);

  git('reset', '-q', '--hard', base);
  await expect(apply(0)).rejects.toThrow('the worker died');
  // As if it had died one step earlier.
  git('update-ref', 'HEAD', base);
  await finish();
  expect(existsSync(join(home, 'applies', 'c-1.json'))).toBe(false);
  expect([git('rev-parse', 'HEAD'), await text('a.txt'), status()]).toEqual([base, 'one\n', '']);
});

test('CON-89: what keeps git from the index or the branch is told in its words before anything moves', async () => {
  const { path, treePath, git, base, apply, refusal, status, returned } = await ground({
    ...{ 'a.txt': 'one\n', 'mine.txt': 'mine\n' },
  });
  await put(treePath, { 'a.txt': 'two\n' });
  const refusedFor = async (words: RegExp) => {
    expect(await refusal()).toMatchObject({
      ...{ problem: 'git', detail: expect.stringMatching(words) },
    });
    expect([git('rev-parse', 'HEAD'), status()]).toEqual([base, '']);
  };
  for (const lock of ['index.lock', 'HEAD.lock', 'refs/heads/main.lock']) {
    await writeFile(join(path, '.git', lock), '');
    await refusedFor(/\.lock': File exists/);
    await rm(join(path, '.git', lock));
  }
  const index = await readFile(join(path, '.git/index'));
  await writeFile(join(path, '.git/index'), 'garbage');
  expect(await refusal()).toMatchObject({ problem: 'git' });
  await writeFile(join(path, '.git/index'), index);
  // As a conflicting `git stash pop` leaves it, which no file of git's own tells.
  const blob = git('hash-object', '-w', join(path, 'mine.txt'));
  const stages = [1, 2, 3].map((stage) => `100644 ${blob} ${stage}\tmine.txt\n`).join('');
  const gone = `0 ${'0'.repeat(40)}\tmine.txt\n`;
  execFileSync('git', ['-C', path, 'update-index', '--index-info'], { input: gone + stages });
  expect(await refusal()).toMatchObject({ problem: 'git' });
  expect(git('rev-parse', 'HEAD')).toBe(base);
  git('reset', '-q');
  git('symbolic-ref', 'HEAD', 'refs/heads/unborn');
  expect(await refusal()).toMatchObject({ problem: 'git' });
  git('symbolic-ref', 'HEAD', 'refs/heads/main');
  expect(returned).toHaveLength(6);
  expect(await apply()).toMatchObject({ isNew: true, left: [] });
  expect(status()).toBe('');
});

test('CON-90: an index that is locked once the branch has moved is told, and ended as soon as it is free', async () => {
  const { path, treePath, git, refusal, finish, text, status, told, returned, abandoned, ...more } =
    await ground();
  await put(treePath, { 'a.txt': 'two\n' });
  const lock = join(path, '.git/index.lock');
  more.whilePlacing(() => writeFile(lock, ''));
  expect(await refusal()).toMatchObject({
    ...{ problem: 'unfinished', detail: expect.stringMatching(/index\.lock': File exists/) },
  });
  expect(git('rev-parse', 'HEAD')).toBe(git('rev-parse', 'goal/g-1'));
  expect([returned, abandoned, told]).toEqual([[], [ref], []]);
  await expect(finish()).rejects.toThrow('File exists');
  await rm(lock);
  await finish();
  expect([await text('a.txt'), status()]).toEqual(['two\n', '']);
  expect(told).toMatchObject([{ isNew: true, left: [] }]);
});

test('CON-91: a file that no commit can hold is named, and the branch without it is not brought in', async () => {
  const { treePath, git, base, refusal, apply } = await ground();
  const nameless = Buffer.concat([Buffer.from(`${treePath}/`), Buffer.from([0xff, 0xfe])]);
  await put(treePath, { 'a.txt': 'two\n' });
  await writeFile(nameless, 'thirteen\n');
  expect(await refusal()).toMatchObject({
    ...{ problem: 'left_out', files: [expect.stringContaining('\uFFFD')], field: 'goalId' },
  });
  expect(git('rev-parse', 'HEAD')).toBe(base);
  await rm(nameless);
  expect(await apply()).toMatchObject({ isNew: true, files: 1 });
});

test.each([
  ['* text=auto eol=crlf\n', 'a\r\nb\n'],
  ['* text eol=crlf\n', 'a\nb\n'],
  ['*.txt text\n', 'a\r\nb\r\n'],
  ['*.txt eol=lf\n', 'a\r\nb\r\n'],
])(
  'CON-141 what a branch brings is refused where its own attributes make git take it for something else: %j',
  async (attributes, content) => {
    const { treePath, refusal, base, git, status } = await ground();
    await put(treePath, { '.gitattributes': attributes, 'm.txt': content });
    expect(await refusal()).toMatchObject({
      problem: 'line_ends',
      detail: expect.stringContaining('What goal/g-1 brings into shop'),
    });
    expect([git('rev-parse', 'main'), status()]).toEqual([base, '']);
  },
);

test('CON-141 files that stay count where attributes come, and attributes that stay where files come', {
  tags: 'campaign',
}, async () => {
  const stays = await ground({ 'a.txt': 'one\r\n' });
  await put(stays.treePath, { '.gitattributes': '* text\n' });
  expect(await stays.refusal()).toMatchObject({ problem: 'line_ends' });
  const comes = await ground({ '.gitattributes': '*.txt text\n' });
  await put(comes.treePath, { 'a.txt': 'one\r\n' });
  expect(await comes.refusal()).toMatchObject({ problem: 'line_ends' });
});

test('CON-142 attributes by which git leaves files as they are come along, and nothing shows as changed', {
  tags: 'campaign',
}, async () => {
  const { treePath, apply, status } = await ground({ 'a.txt': 'one\n' });
  const attributes = '* text=auto\n*.bin -text\n*.c text\n*.d text eol=lf\n';
  const ends = { 'm.txt': 'a\r\nb\r\n', 'x.bin': 'a\r\n', 'y.c': 'a\n', 'z.d': 'a\n' };
  await put(treePath, { '.gitattributes': attributes, ...ends });
  await apply();
  expect(status()).toBe('');
});
