import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ScopeInput } from '../../schema/scope.ts';
import type { TreeEntry } from '../../src/checkpoints/stored-tree.ts';
import type { BaseRefused } from '../../src/contract/base.ts';
import { createScopeLook } from '../../src/evidence/proof/scope-look.ts';
import {
  keepBaseOf,
  keepOriginal,
  readOriginal,
  withComparison,
} from '../../src/proof-place/original.ts';
import { setupDigest } from '../../src/proof-place/setup-store.ts';

const ENVIRONMENT = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@localhost',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@localhost',
};

let root: string;
let workspace: string;
let home: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'goalkeeper-look-')));
  workspace = join(root, 'project');
  home = join(root, 'home');
  await mkdir(workspace);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: workspace, env: ENVIRONMENT, stdio: 'pipe' }).toString().trim();
async function put(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), text);
  }
}
async function commit(files: Record<string, string>): Promise<string> {
  await put(files);
  git('add', '-A');
  git('commit', '-qm', 'x');
  return git('rev-parse', 'HEAD');
}

const host = 'here';
const looks = createScopeLook('/nonexistent', host);
const at = () => ({ name: 'project', path: workspace, host });
const look = (scope?: ScopeInput, proof: 'scope' | 'workspace' = 'scope') =>
  looks.look(at(), { scope, criteria: [], policy: { proof } });
const codes = async (scope?: ScopeInput) => (await look(scope)).notices.map(({ code }) => code);
const baseOf = (name: string) =>
  looks.base(at(), name).catch((error: BaseRefused) => `${error.problem}: ${error.message}`);

const project = {
  'package.json': JSON.stringify({ name: 'p', main: 'src/index.js' }),
  'src/index.js': 'module.exports = 1;\n',
  'test/a.test.js': 'require("..");\n',
};

describe('a workspace before a goal', () => {
  test('SCP-10 shows the scope that would be inferred, with reasons and the files that it means', async () => {
    await put(project);
    const found = await look();
    expect(found).toMatchObject({ scope: { setBy: 'host' }, files: 1, total: 3, notices: [] });
    expect(found.scope?.change.join()).toContain('src');
    expect(found.scope?.why[0]?.reason).not.toBe('');
  });

  test('SCP-11 says of a scope that it means nothing, everything, or the judge itself', async () => {
    await put(project);
    expect(await codes({ change: ['lib/**'] })).toEqual(['matches_nothing']);
    expect(await codes({ change: ['**'] })).toEqual(['matches_everything']);
    expect(await codes({ change: ['{*,*/**}'] })).toEqual(['matches_everything']);
    expect(await codes({ change: ['**'], keep: ['test/**'] })).toEqual([]);
    expect(await codes({ change: ['src/**', 'test/**'] })).toEqual(['names_judges']);
    await rm(join(workspace, 'src'), { recursive: true });
    await rm(join(workspace, 'package.json'));
    expect(await codes()).toEqual(['nothing_inferred']);
  });

  test('SCP-12 says what a repository without a commit, submodules and LFS mean', async () => {
    git('init', '-q', '-b', 'main');
    await put(project);
    expect(await codes({ change: ['src/**'] })).toEqual(['no_commit']);
    await put({ '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n' });
    await put({ 'a.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n' });
    await commit({});
    git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD')},libs/x`);
    git('commit', '-qm', 'submodule');
    await mkdir(join(workspace, 'libs/x'), { recursive: true });
    const { notices } = await look({ change: ['src/**'] });
    expect(notices.map(({ code }) => code)).toEqual(['submodules', 'lfs_pointers']);
    expect(notices.map(({ text }) => text).join()).toMatch(/libs\/x.*a\.bin.*git lfs pull/s);
  });

  test('SCP-13 that can not be kept, or lies elsewhere, says so and which level is left', async () => {
    await put({ ...project, 'big.dat': 'x'.repeat(10 * 1024 * 1024 + 1) });
    expect(await codes({ change: ['src/**'] })).toEqual(['left_out']);
    expect(await look(undefined, 'workspace')).toMatchObject({
      scope: null,
      notices: [{ code: 'no_proof', level: 'supported' }],
    });
    const other = await looks.look(
      { ...at(), host: 'there' },
      { criteria: [], policy: { proof: 'scope' } },
    );
    expect(other).toMatchObject({ scope: null, notices: [{ code: 'not_seen' }] });
  });
});

describe('a base', () => {
  test('SCP-20 is the commit that its name means: an id, a branch, or where a branch was left', async () => {
    git('init', '-q', '-b', 'main');
    const first = await commit(project);
    git('checkout', '-qb', 'work');
    await commit({ 'src/index.js': 'module.exports = 2;\n' });
    git('checkout', '-q', 'main');
    await commit({ 'other.txt': 'x' });
    git('checkout', '-q', 'work');
    expect(await baseOf(first)).toBe(first);
    expect(await baseOf('HEAD~1')).toBe(first);
    expect(await baseOf('merge-base:main')).toBe(first);
    expect(await baseOf('main')).toMatch(/^not_an_ancestor: .*merge-base:main/);
    expect(await baseOf('nowhere')).toMatch(/^unknown_commit: .*nowhere/);
    expect(await baseOf('merge-base:--all')).toMatch(/^unknown_commit/);
  });

  test('SCP-21 is refused by its reason and with the way out, where it could not be what it says', async () => {
    await put(project);
    expect(await baseOf('main')).toMatch(/^no_repository: .*leave the base out/);
    git('init', '-q', '-b', 'main');
    expect(await baseOf('main')).toMatch(/^no_commit/);
    const first = await commit({});
    await expect(looks.base({ ...at(), host: 'there' }, 'main')).rejects.toMatchObject({
      problem: 'elsewhere',
    });
    git('config', 'core.autocrlf', 'true');
    expect(await baseOf('main')).toMatch(/^line_ends/);
    git('config', '--unset', 'core.autocrlf');
    git('update-index', '--add', '--cacheinfo', `160000,${first},libs/x`);
    git('commit', '-qm', 'submodule');
    expect(await baseOf('main')).toMatch(/^submodules: .*libs\/x/);
    expect(await baseOf(first)).toBe(first);
    const copy = join(root, 'shallow');
    execFileSync('git', ['clone', '-q', '--depth', '1', `file://${workspace}`, copy], {
      env: ENVIRONMENT,
      stdio: 'pipe',
    });
    workspace = copy;
    expect(await baseOf(first)).toMatch(/^shallow_clone: .*unshallow/);
  });

  test('SCP-22 is kept out of the objects of git, byte for byte, and what came since is a change', async () => {
    git('init', '-q', '-b', 'main');
    await put(project);
    await symlink('src/index.js', join(workspace, 'link'));
    await writeFile(join(workspace, 'run.sh'), 'true\n', { mode: 0o755 });
    const first = await commit({ 'old.txt': 'old\n', '.gitignore': 'out/\n' });
    git('rm', '-q', 'old.txt');
    await commit({ 'test/a.test.js': '// bent by an earlier goal\n' });
    await put({ 'src/index.js': 'module.exports = 2;\n', 'new.txt': 'n\n', 'out/built.js': 'x' });
    const ground = { home, goalId: 'g-1', workspace };
    const { original } = await keepBaseOf(first, ground);
    const tree = await readOriginal(home, 'g-1', original);
    expect([...tree.entries.keys()].sort()).toEqual([
      '.gitignore',
      'link',
      'old.txt',
      'package.json',
      'run.sh',
      'src/index.js',
      'test/a.test.js',
    ]);
    expect(tree.entries.get('link')?.kind).toBe('link');
    const changes = await withComparison(ground, original, async (trees) => trees.changes);
    expect(changes.map(({ path }) => path)).toEqual([
      'new.txt',
      'old.txt',
      'src/index.js',
      'test/a.test.js',
    ]);
  });

  test('SCP-23 whose objects an earlier goal rewrote is refused, whatever their names say', async () => {
    git('init', '-q', '-b', 'main');
    const first = await commit(project);
    const blob = git('rev-parse', `${first}:test/a.test.js`);
    const other = execFileSync('git', ['hash-object', '-w', '--stdin'], {
      cwd: workspace,
      env: ENVIRONMENT,
      input: '// nothing\n',
    })
      .toString()
      .trim();
    const objectAt = (id: string) => join(workspace, '.git/objects', id.slice(0, 2), id.slice(2));
    execFileSync('cp', ['-f', objectAt(other), objectAt(blob)]);
    await expect(keepBaseOf(first, { home, goalId: 'g-1', workspace })).rejects.toMatchObject({
      name: expect.stringMatching(/BaseRefused|StoreFailed/),
    });
  });

  test('SCP-24 of a workspace that is a folder of its repository is that folder alone', async () => {
    git('init', '-q', '-b', 'main');
    const first = await commit({ 'app/src/a.js': '1\n', 'beside.txt': 'b\n' });
    workspace = join(workspace, 'app');
    const { original } = await keepBaseOf(first, { home, goalId: 'g-1', workspace });
    expect([...(await readOriginal(home, 'g-1', original)).entries.keys()]).toEqual(['src/a.js']);
  });
});

describe('what would install packages', () => {
  const lock = { lockfileVersion: 3, packages: { '': {}, 'node_modules/a': { version: '1.0.0' } } };
  const npm = {
    ...project,
    '.gitignore': 'node_modules/\n',
    'package-lock.json': JSON.stringify(lock),
  };
  const setups = async (own: object = {}) => {
    const start = { criteria: [], policy: { proof: 'scope' as const, ...own } };
    return (await createScopeLook(home, host).look(at(), start)).setups;
  };
  test('SET-20 is told with its lock file, and whether it ran before', async () => {
    git('init', '-q');
    await commit(npm);
    expect(await setups({ dependencies: 'allow' })).toMatchObject([
      { tool: 'npm', lock: 'package-lock.json', state: 'runs', additions: 'allowed' },
    ]);
    const inputs = ['package-lock.json', 'package.json'];
    const command = 'npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=1';
    const original = await keepOriginal(home, 'g-1', workspace);
    const { entries } = await readOriginal(home, 'g-1', original);
    const of = new Map(inputs.map((path) => [path, entries.get(path) as TreeEntry]));
    const digest = setupDigest({ tool: 'npm', folder: '', command }, of, '');
    await mkdir(join(home, 'setups', digest), { recursive: true });
    expect(await setups()).toMatchObject([{ state: 'kept', additions: 'asked' }]);
  });
  test('SET-20 is not needed where packages are installed, and lock files without use say why', async () => {
    git('init', '-q');
    await commit({ ...npm, 'web/yarn.lock': '__metadata:\n  version: 8\n' });
    await put({ 'node_modules/a/index.js': '' });
    expect(await setups()).toMatchObject([
      { tool: 'npm', state: 'lent' },
      { tool: 'yarn', state: 'unused', why: expect.stringContaining('nodeLinker') },
    ]);
  });
});
