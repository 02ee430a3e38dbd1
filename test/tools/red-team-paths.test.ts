import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Effects, startEffects } from '../../src/workspace/helper/client.ts';
import { sha256 } from '../../src/workspace/paths.ts';
import { CANARY, type Ground, openGround, registry } from './red-team/ground.ts';
import { tryWhileSwapped } from './red-team/swapped-folder.ts';
import { testContext } from './support.ts';

let effects: Effects;
/** Of all whose attack changes nothing, as each of them looks. */
let shared: Ground;
beforeAll(async () => {
  effects = startEffects({ host: hostname(), onSpawn: async () => {} });
  const folder = await mkdtemp(join(tmpdir(), 'goalkeeper-ground-'));
  shared = await openGround(effects, await realpath(folder));
});
afterAll(async () => {
  await effects.close();
  await rm(shared.base, { recursive: true, force: true });
});

const MOST_MS = 60_000;

/** Nothing outside is shown or changed, nothing hangs, nothing throws. */
async function attack(ground: Ground, tool: string, input: unknown) {
  const before = ground.guarded();
  const begun = performance.now();
  const result = await ground.call(tool, input);
  expect(performance.now() - begun).toBeLessThan(MOST_MS);
  expect(JSON.stringify(result)).not.toContain(CANARY);
  expect(result.text.length).toBeLessThanOrEqual(30_000);
  expect(ground.guarded()).toBe(before);
  return result;
}

const inputs: Record<string, (path: string) => unknown> = {
  read_file: (path) => ({ path }),
  list_files: (path) => ({ path }),
  grep_search: (path) => ({ path, pattern: 'CANARY|core' }),
  write_file: (path) => ({ path, content: 'overwritten' }),
  edit_file: (path) => ({ path, edits: [{ oldText: 'C', newText: 'X' }] }),
  get_diagnostics: (path) => ({ paths: [path] }),
  run_command: (path) => ({ command: 'cat *', cwd: path }),
};

/** Hostile paths that lead out of the workspace, whichever tool is given them. */
const ESCAPES = [
  '..',
  '../secret.txt',
  './src/../../secret.txt',
  'src/up/secret.txt',
  'src/up/work/../secret.txt',
  '/etc/passwd',
  '/proc/self/environ',
  '/proc/self/cwd/package.json',
  '/proc/self/root/etc/passwd',
  '/proc/1/root/etc/passwd',
  '/dev/zero',
  '/dev/stdin',
  '/dev/fd/0',
  '/',
  'to-file',
  'to-folder',
  'to-folder/secret.txt',
  'to-folder/new.txt',
  'to-folder/new/deep.txt',
  'to-chain',
  'to-root/etc/passwd',
  'to-environment',
  'to-zero',
  'to-nothing',
  'to-nothing/new.txt',
  'to-itself',
  'a\0b',
  '../secret.txt\0.txt',
  'x'.repeat(300),
  'ü'.repeat(200),
  'a.txt/b.txt',
];

describe.each(ESCAPES)('the path %j', (path) => {
  test('is refused by every tool', async () => {
    for (const [tool, inputOf] of Object.entries(inputs)) {
      const { outcome } = await attack(shared, tool, inputOf(path));
      expect(`${tool}: ${outcome}`).toBe(`${tool}: refused`);
    }
  });
});

/** Ways to write git's own folder, the marker of the workspace, or what is no file. */
const NOT_TO_BE_WRITTEN = [
  '.git/hooks/pre-commit',
  '.git/config',
  '.GIT/config',
  '.Git/HEAD',
  './/.git//hooks/../config',
  'src/../.git/config',
  'sub/.git/config',
  'sub/.git/hooks/new/x',
  'to-git/config',
  'to-git/hooks/post-checkout',
  '.git./config',
  '.git /config',
  '.git. . /config',
  '.g\u200cit/config',
  '.\u202egit/config',
  '\uff0egit/config',
  '.\uff47\uff49\uff54/config',
  '.gi\u0301t/config',
  'git~1/config',
  'GIT~1/hooks/x',
  '.git::$INDEX_ALLOCATION/config',
  '.goalkeeper-workspace',
  '.GoalKeeper-Workspace',
  '.goalkeeper-0123456789abcdef.tmp',
  'src',
  'src/',
  'new-folder/',
  '.',
  './',
  'pipe',
  'src/pipe',
];

test.each(NOT_TO_BE_WRITTEN)('%j is not written', async (path) => {
  const names = await readdir(shared.root);
  for (const tool of ['write_file', 'edit_file']) {
    const { outcome } = await attack(shared, tool, inputs[tool]?.(path));
    expect(`${tool}: ${outcome}`).toBe(`${tool}: refused`);
  }
  expect(await readdir(shared.root)).toEqual(names);
});

/** What looks dangerous and is an ordinary name: it stays inside, whatever becomes of it. */
test.each([
  '~/.ssh/authorized_keys',
  '$HOME/x',
  'file:///etc/passwd',
  'C:\\Windows\\x',
  '..\\..\\secret.txt',
  '.gitignore',
  '.github/workflows/x.yml',
  '-rf',
  '--help',
  '$(touch /tmp/x)',
  '; rm -rf .',
  '\u202etxt.exe',
  'e\u0301\u00e9',
  '... ',
])('%j is an ordinary name inside', async (path) => {
  const ground = await openGround(effects);
  expect(await attack(ground, 'write_file', inputs.write_file?.(path))).toMatchObject({
    outcome: 'succeeded',
  });
  expect(await readFile(join(ground.root, path), 'utf8')).toBe('overwritten');
  expect((await attack(ground, 'read_file', { path })).text).toContain('overwritten');
});

const reads: readonly (readonly [string, string, unknown, RegExp])[] = [
  ['a pipe', 'read_file', { path: 'pipe' }, /device, pipe or socket/],
  ['a pipe, searched', 'grep_search', { path: 'pipe', pattern: 'x' }, /device, pipe or socket/],
  ['a folder', 'read_file', { path: 'src' }, /is a folder; use list_files/],
  ['a binary file', 'read_file', { path: 'binary.dat' }, /is a binary file/],
  ['UTF-16', 'read_file', { path: 'wide.txt' }, /is UTF-16 text; convert it/],
  ['UTF-16, edited', 'edit_file', inputs.edit_file?.('wide.txt'), /is UTF-16 text/],
  ['a binary file, edited', 'edit_file', inputs.edit_file?.('binary.dat'), /is a binary file/],
  ['3 GB of nothing', 'read_file', { path: 'huge.txt', offset: 2 }, /binary|not reached in time/],
  ['3 GB, edited', 'edit_file', inputs.edit_file?.('huge.txt'), /too large.*read_file/s],
  ['3 GB, overwritten', 'write_file', inputs.write_file?.('huge.txt'), /limit/],
  [
    'a tree with pipes and links',
    'grep_search',
    { pattern: 'CANARY|plain' },
    /a\.txt:1:plain text/,
  ],
  ['every name', 'list_files', {}, /"line\\nfeed\.txt"/],
  ['a name of two lines', 'grep_search', { pattern: 'odd' }, /^"line\\nfeed\.txt":1:plain in/],
  ['a glob upwards', 'list_files', { glob: '../**' }, /^No files\.$/],
  ['a glob of git', 'list_files', { glob: '.git/**' }, /^No files\.$/],
  ['a search in git by glob', 'grep_search', { pattern: 'core', glob: '**/.git/**' }, /No matches/],
  ['an endless glob', 'list_files', { glob: '*'.repeat(400) }, /./],
  ['a glob of braces', 'list_files', { glob: '{a,b}'.repeat(90) }, /./],
  ['a pattern that is an option', 'grep_search', { pattern: '--pre=cat' }, /No matches/],
  ['a pattern file', 'grep_search', { pattern: '-f/etc/passwd' }, /No matches/],
  ['a glob that is an option', 'grep_search', { pattern: 'x', glob: '--pre=sh' }, /No matches/],
  ['a pattern with a NUL', 'grep_search', { pattern: 'a\0b' }, /NUL/],
  ['a bad pattern', 'grep_search', { pattern: '(' }, /invalid search.*unclosed/s],
  ['a look-around', 'grep_search', { pattern: '(?<=a)b' }, /invalid search/],
  ['a line feed', 'grep_search', { pattern: 'a\nb' }, /invalid search/],
  ['a monstrous pattern', 'grep_search', { pattern: 'a{900}{900}{900}' }, /invalid search/],
];

test.each(reads)('read: %s', async (_, tool, input, says) => {
  expect((await attack(shared, tool, input)).text).toMatch(says);
});

/** Arguments that are no arguments: nothing runs, and the model is told which field. */
test.each([
  ['read_file', '['.repeat(100_000), /not JSON/],
  ['read_file', `{"path":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, /path|not JSON/],
  ['read_file', '{"path":"a.txt","__proto__":{"path":"../secret.txt"}}', /__proto__|plain text/],
  ['read_file', '{"path":"a.txt","path":"../secret.txt"}', /out of the workspace/],
  ['read_file', '{"path":["../secret.txt"]}', /path/],
  ['read_file', '{"path":"a.txt","offset":1e308}', /offset/],
  ['read_file', '{"path":"a.txt","offset":-1}', /offset/],
  ['read_file', `{"path":"${'a/'.repeat(3000)}"}`, /path/],
  ['grep_search', '{"pattern":"x","maxResults":99999999}', /maxResults/],
  ['write_file', '{"path":"x","content":"half \\ud83d"}', /content.*half of a character/],
  ['edit_file', '{"path":"a.txt","edits":[{"oldText":"\\udc00","newText":""}]}', /oldText/],
  ['edit_file', '{"path":"a.txt","edits":[]}', /edits/],
  ['write_file', '{"path":"x","content":7}', /content/],
  ['read_file', 'null', /expected object/i],
])('arguments: %s %.60s', async (tool, input, says) => {
  expect((await attack(shared, tool, input)).text).toMatch(says);
});

describe('while the model’s own processes change the tree', () => {
  const planned = async (ground: Ground, path: string) => {
    const tool = registry.find('write_file');
    const context = testContext(ground.root, effects);
    const args = { path, content: 'overwritten' };
    const plan = await tool?.plan?.(args, context);
    if (!tool || !plan || 'outcome' in plan) throw new Error('no plan');
    return () => tool.run(args, context, plan);
  };

  test('a folder that becomes a link between plan and write leads nowhere', async () => {
    const ground = await openGround(effects);
    const write = await planned(ground, 'src/secret.txt');
    const before = ground.guarded();
    await rename(join(ground.root, 'src'), join(ground.root, 'moved'));
    await symlink('../outside', join(ground.root, 'src'));
    expect((await write()).outcome).toBe('refused');
    expect(ground.guarded()).toBe(before);
  });

  test('a file that becomes a link between plan and write is not followed', async () => {
    const ground = await openGround(effects);
    const write = await planned(ground, 'a.txt');
    await rm(join(ground.root, 'a.txt'));
    await symlink('../secret.txt', join(ground.root, 'a.txt'));
    const before = ground.guarded();
    expect((await write()).outcome).toBe('refused');
    expect(ground.guarded()).toBe(before);
  });

  test.each([
    ['a folder is a link by now', 'to-folder/new.txt', null],
    ['a missing folder is below a link', 'to-folder/deep/er/new.txt', null],
    ['the file is a link by now', 'to-file', sha256(Buffer.from(CANARY))],
    ['the file is a pipe by now', 'pipe', null],
  ])('the last step of a write, after all checks: %s', async (_, path, expected) => {
    const ground = await openGround(effects);
    const before = ground.guarded();
    const order = { path: join(ground.root, path), content: Buffer.from('x'), callId: 't1.s1.1' };
    const outcome = await effects.writeFile({ ...order, expected }).catch((error: Error) => error);
    expect(outcome).not.toEqual({ kind: 'written' });
    expect(ground.guarded()).toBe(before);
  });

  test('a folder that is swapped with a link all the time never shows what is outside', async () =>
    tryWhileSwapped(await openGround(effects), 10));

  test('a file that grows faster than it is read ends at the limit', async () => {
    const ground = await openGround(effects);
    const path = join(ground.root, 'growing.txt');
    await writeFile(path, 'x\n'.repeat(4_000_000));
    const grow = setInterval(() => appendFileSync(path, 'y\n'.repeat(500_000)), 1);
    onTestFinished(() => clearInterval(grow));
    const { text } = await attack(ground, 'edit_file', inputs.edit_file?.('growing.txt'));
    expect(text).toMatch(/too large|not in the file/);
  });
});

test('a hard link to a file outside is written as a file of its own', async () => {
  const ground = await openGround(effects);
  execFileSync('ln', [join(ground.base, 'outside/hard'), join(ground.root, 'hard.txt')]);
  await attack(ground, 'write_file', inputs.write_file?.('hard.txt'));
  expect(await readFile(join(ground.root, 'hard.txt'), 'utf8')).toBe('overwritten');
});

test('a socket is no file', async () => {
  const ground = await openGround(effects);
  const server = createServer().listen(join(ground.root, 'socket'));
  onTestFinished(() => void server.close());
  for (const tool of ['read_file', 'write_file', 'edit_file', 'grep_search']) {
    expect((await attack(ground, tool, inputs[tool]?.('socket'))).outcome).toBe('refused');
  }
});

test.each([
  ['a link', (root: string) => symlink('store', join(root, '.git'))],
  ['a file', (root: string) => writeFile(join(root, '.git'), 'gitdir: store\n')],
])(
  'a repository that lies elsewhere in the workspace, named by %s, is not written',
  async (_, name) => {
    const ground = await openGround(effects);
    await rm(join(ground.root, '.git'), { recursive: true });
    await mkdir(join(ground.root, 'store/hooks'), { recursive: true });
    await name(ground.root);
    for (const path of ['store/config', 'store/hooks/pre-commit', '.git/config']) {
      expect((await ground.call('write_file', inputs.write_file?.(path))).outcome).toBe('refused');
    }
    expect(await readdir(join(ground.root, 'store/hooks'))).toEqual([]);
    expect((await ground.call('write_file', inputs.write_file?.('storey/x'))).outcome).toBe(
      'succeeded',
    );
  },
);
