import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Maker, Worktree, WorktreesPort } from '../../src/contract/worktrees.ts';
import { worktreeProblemOf } from '../../src/workspace/git/plain-files.ts';
import {
  addWorktree,
  beginBranchIfLeft,
  commitOfTree,
  headOf,
  removeWorktree,
} from '../../src/worktrees/git.ts';
import { createWorktreeSweeper } from '../../src/worktrees/sweep.ts';
import { gitIn, startRepository } from '../support/git.ts';
import { temporaryFolder } from '../tools/support.ts';

async function repository(files: Record<string, string> = { 'a.txt': 'one\n' }) {
  const path = join(await temporaryFolder(), 'tree');
  await mkdir(path);
  const write = async (more: Record<string, string>) => {
    for (const [name, text] of Object.entries(more)) await writeFile(join(path, name), text);
  };
  await write(files);
  return { path, git: startRepository(path), write };
}

test('CON-138 a repository whose files git changes on their way, leaves out, or names by other ids gets no worktree', async () => {
  const problemOf = async (attributes: string, ...config: string[]) => {
    const { path, git, write } = await repository({ 'a.bin': 'a' });
    await write({ '.gitattributes': attributes });
    git('add', '.gitattributes');
    if (config.length > 0) git('config', ...config);
    return await worktreeProblemOf(path);
  };
  expect(await problemOf('* text=auto\n*.bin -filter -ident\n')).toBeNull();
  expect(await problemOf('*.bin filter=lfs\n')).toBe('filters');
  expect(await problemOf('*.bin working-tree-encoding=UTF-16\n')).toBe('filters');
  expect(await problemOf('*.other filter=lfs\n')).toBeNull();
  expect(await problemOf('*.bin text eol=crlf\n')).toBe('line_ends');
  expect(await problemOf('', 'core.autocrlf', 'true')).toBe('line_ends');
  const long = join(await temporaryFolder(), 'tree');
  await mkdir(long);
  gitIn(long)('init', '-q', '--object-format=sha256');
  await writeFile(join(long, 'a.txt'), 'a');
  startRepository(long);
  expect(await worktreeProblemOf(long)).toBe('object_format');
  const { path, git } = await repository();
  git('sparse-checkout', 'set', 'nothing');
  expect(await worktreeProblemOf(path)).toBe('sparse_checkout');
});

test('CON-156 a partial clone makes a worktree once it has the files of its last commit', async () => {
  const { path, git } = await repository({ 'a.txt': 'one\n' });
  git('config', 'uploadpack.allowFilter', 'true');
  git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  const clone = join(await temporaryFolder(), 'clone');
  git('clone', '-q', '--filter=blob:none', '--no-checkout', `file://${path}`, clone);
  expect(await worktreeProblemOf(clone)).toBe('missing_objects');
  gitIn(clone)('checkout', '-q', 'HEAD', '--', '.');
  expect(await worktreeProblemOf(clone)).toBeNull();
  expect(await worktreeProblemOf(path)).toBeNull();
});

test('what only info/exclude ignores is in no commit of a tree, unless a .gitignore takes it back', async () => {
  const { path, git, write } = await repository({ 'a.txt': 'one\n', 'kept.local': 'tracked\n' });
  await write({
    '.git/info/exclude': '# mine\n*.local\n',
    '.gitignore': '!back.local\n',
    'secret.local': 'x',
    'back.local': 'x',
    'kept.local': 'changed\n',
  });
  expect((await headOf(path)).uncommitted).toBe(3);
  const commit = await commitOfTree(path);
  const changed = git('diff', '--name-only', 'HEAD', commit).split('\n');
  expect(changed).toEqual(['.gitignore', 'back.local', 'kept.local']);
});

test('a commit of a tree leaves no ref behind, and takes those away that earlier versions left', async () => {
  const { path, git, write } = await repository();
  const old = {
    GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
    GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  };
  Object.assign(process.env, old);
  const left = git('commit-tree', '-m', 'left', 'HEAD^{tree}');
  for (const name of Object.keys(old)) delete process.env[name];
  const refOf = (last: string) => `refs/goalkeeper/0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5${last}`;
  git('update-ref', refOf('1'), left);
  // Of a worker that is at it now, and somebody's own.
  git('update-ref', refOf('2'), 'HEAD');
  git('update-ref', 'refs/goalkeeper/mine', left);
  await write({ 'b.txt': 'two\n' });
  const commit = await commitOfTree(path);
  expect(git('show', `${commit}:b.txt`)).toBe('two');
  const refs = git('for-each-ref', '--format=%(refname)', 'refs/goalkeeper').split('\n');
  expect(refs).toEqual([refOf('2'), 'refs/goalkeeper/mine']);
});

test('a tree whose maker died before its branch begins it later, and one that left its branch stays', async () => {
  const { path, git, write } = await repository();
  const base = git('rev-parse', 'HEAD');
  const tree = join(path, '../own');
  await addWorktree(path, tree, base);
  const head = () => git('-C', tree, 'rev-parse', '--abbrev-ref', 'HEAD');
  expect(head()).toBe('HEAD');
  await beginBranchIfLeft(tree, 'goal/g-1', base);
  expect(head()).toBe('goal/g-1');
  git('-C', tree, 'checkout', '-q', '-b', 'other');
  await beginBranchIfLeft(tree, 'goal/g-1', base);
  expect(head()).toBe('other');
  await write({ 'a.txt': 'two\n' });
  git('commit', '-q', '-a', '-m', 'second');
  git('-C', tree, 'checkout', '-q', '--detach', git('rev-parse', 'HEAD'));
  await beginBranchIfLeft(tree, 'goal/g-1', base);
  expect(head()).toBe('HEAD');
  await removeWorktree(tree);
});

test('CON-158 the record of a tree that somebody locked goes with the tree, and no other', async () => {
  const { path, git } = await repository();
  const [tree, theirs] = [join(path, '../own'), join(path, '../theirs')];
  await addWorktree(path, tree, git('rev-parse', 'HEAD'));
  git('worktree', 'add', '-q', '--detach', theirs);
  for (const one of [tree, theirs]) git('worktree', 'lock', '--reason', 'looked at', one);
  await removeWorktree(tree);
  const listed = git('worktree', 'list');
  expect(listed).not.toContain(tree);
  expect(listed).toContain(theirs);
});

const cleared = { isComplete: false, isCleared: true };

interface Swept {
  readonly left: readonly Worktree[];
  readonly makers: readonly Maker[];
}

/** The record of a service that looks at two trees a round. */
async function sweeperOf(home: string, { left, makers }: Swept) {
  const said: { goalId: string; againInSeconds: number }[] = [];
  const removed: string[] = [];
  const stuck: string[] = [];
  const asked: string[][] = [];
  const worktrees = {
    async withLeftBehind(_host, later, work) {
      const found = left.filter(({ name }) => ![...later, ...removed].includes(name)).slice(0, 2);
      asked.push(found.map(({ name }) => name));
      await work(found);
    },
    tellRemoved: async (name) => void removed.push(name),
    tellStuck: async ({ goalId }, why) => void stuck.push(`${goalId}: ${why}`),
    makers: async (ids) => makers.filter(({ goalId }) => ids.includes(goalId)),
  } satisfies Partial<WorktreesPort>;
  const log = { warn: (what: (typeof said)[0]) => void said.push(what) };
  let now = 0;
  const ground = { worktrees, host: 'here', home, log };
  const sweep = createWorktreeSweeper(ground as never, () => now);
  const at = async (seconds: number) => {
    now = seconds * 1000;
    await sweep();
  };
  return { at, said, removed, stuck, asked };
}

test('trees that can not be put away are told, tried less and less often, and keep no other waiting', async () => {
  const { path, git } = await repository();
  const home = await temporaryFolder();
  const tree = (goalId: string) => join(home, 'worktrees', `${goalId}.1.1`);
  const of = (goalId: string): Worktree => ({
    ...{ goalId, name: `worktree-${goalId}`, path: tree(goalId), branch: `goal/${goalId}` },
    ...{ originPath: path, isDelegate: false, begins: null, result: null, ...cleared },
  });
  for (const goalId of ['g-1', 'g-2']) await mkdir(tree(goalId), { recursive: true });
  await addWorktree(path, tree('g-3'), git('rev-parse', 'HEAD'));
  const left = ['g-1', 'g-2', 'g-3'].map(of);
  const { at, said, removed, asked } = await sweeperOf(home, { left, makers: [] });
  await at(0);
  expect(said.map(({ goalId }) => goalId)).toEqual(['g-1', 'g-2']);
  await at(5);
  expect(removed).toEqual(['worktree-g-3']);
  expect(existsSync(tree('g-3'))).toBe(false);
  await at(11);
  await at(15);
  expect(asked.map((names) => names.length)).toEqual([2, 1, 2, 0]);
  expect(said.map(({ againInSeconds }) => againInSeconds)).toEqual([10, 10, 20, 20]);
  // Nothing of theirs is lost meanwhile.
  expect(existsSync(tree('g-1'))).toBe(true);
});

test('CON-91: a cleared goal’s tree stays where a file of it is in no commit, and goes once that is taken away', async () => {
  const { path, git } = await repository();
  const home = await temporaryFolder();
  const tree = join(home, 'worktrees', 'g-1.1.1');
  await addWorktree(path, tree, git('rev-parse', 'HEAD'));
  const nameless = Buffer.concat([Buffer.from(`${tree}/`), Buffer.from([0xff])]);
  await writeFile(nameless, 'work');
  const worktree: Worktree = {
    ...{ goalId: 'g-1', name: 'worktree-g-1', path: tree, branch: 'goal/g-1' },
    ...{ originPath: path, isDelegate: false, begins: null, result: null, ...cleared },
  };
  const { at, said, removed, stuck } = await sweeperOf(home, { left: [worktree], makers: [] });
  await at(0);
  expect(said.map(({ goalId }) => goalId)).toEqual(['g-1']);
  expect([removed, existsSync(nameless)]).toEqual([[], true]);
  expect(stuck).toEqual([expect.stringMatching(/^g-1: no commit can hold .*: take it away$/)]);
  await rm(nameless);
  await at(60);
  expect([removed, existsSync(tree)]).toEqual([['worktree-g-1'], false]);
});

test('folders of attempts that were replaced while they made a tree go, and no others', async () => {
  const { path, git } = await repository();
  const home = await temporaryFolder();
  const at = (name: string) => join(home, 'worktrees', name);
  const head = git('rev-parse', 'HEAD');
  for (const name of ['g-1.1.1', 'g-1.1.2', 'g-1.1.3']) await addWorktree(path, at(name), head);
  for (const name of ['g-2.1.1.gone', 'g-2.1.2', 'g-9.1.1', 'mine']) {
    await mkdir(at(name), { recursive: true });
  }
  const maker = { originPath: path, isOver: false };
  const makers = [
    { ...maker, goalId: 'g-1', path: at('g-1.1.2'), token: 3 },
    { ...maker, goalId: 'g-2', path: '', token: 2 },
  ];
  await (await sweeperOf(home, { left: [], makers })).at(0);
  const names = ['g-1.1.1', 'g-1.1.2', 'g-1.1.3', 'g-2.1.1.gone', 'g-2.1.2', 'g-9.1.1', 'mine'];
  expect(names.filter((name) => !existsSync(at(name)))).toEqual(['g-1.1.1', 'g-2.1.1.gone']);
  expect(git('worktree', 'list')).not.toContain('g-1.1.1');
});

test('REC-35 the tree of a goal stays where the record names a place that no attempt of it makes', async () => {
  const { path, git } = await repository();
  const home = await temporaryFolder();
  const at = (name: string) => join(home, 'worktrees', name);
  const names = ['g-1.1.1', 'g-2.1.1'];
  for (const name of names) await addWorktree(path, at(name), git('rev-parse', 'HEAD'));
  const maker = { originPath: path, isOver: false, token: 4 };
  const makers = [
    { ...maker, goalId: 'g-1', path: home },
    { ...maker, goalId: 'g-2', path: at('g-1.1.1') },
  ];
  await (await sweeperOf(home, { left: [], makers })).at(0);
  expect(names.filter((name) => existsSync(at(name)))).toEqual(names);
});
