import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { CheckerSetting } from '../../schema/checker.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { findProof } from '../../src/proof/evidence.ts';
import { loadShellParser } from '../../src/shell/read/parse.ts';
import { builtInTools } from '../../src/tools/built-in.ts';
import { createRegistry } from '../../src/tools/registry.ts';
import type { ToolResult } from '../../src/tools/tool.ts';
import { temporaryFolder, testContext, testEffects } from './support.ts';

const registry = createRegistry(builtInTools);

async function project(files: Record<string, string>, checkers: readonly CheckerSetting[] = []) {
  const root = await temporaryFolder();
  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
    await chmod(join(root, path), path.includes('bin/') ? 0o755 : 0o644);
  };
  for (const [path, text] of Object.entries(files)) await put(path, text);
  const context = { ...testContext(root, testEffects().effects), checkers };
  const look = async (input: object = {}): Promise<ToolResult> => {
    const parsed = await registry.parse('get_diagnostics', JSON.stringify(input));
    const tool = registry.find('get_diagnostics');
    if (!parsed.ok || !tool) throw new Error('no such tool');
    return tool.run(parsed.args, context, undefined);
  };
  return { root, put, look };
}

/** As the ledger has it. */
const rowOf = ({ outcome, receipt }: ToolResult, seq = 1) =>
  ({ seq, phase: 'settled', tool: 'get_diagnostics', outcome, receipt }) as unknown as LedgerRow;

async function proof(command: string, rows: readonly LedgerRow[], scope?: readonly string[]) {
  const shell = { parse: await loadShellParser(), workspace: '/w' };
  return findProof({ command, ...(scope && { scope }) }, rows, shell);
}

const COMPILER = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));

test('C19 the real compiler: errors with their places, then a receipt that a claim can cite', async () => {
  const { root, put, look } = await project({
    'tsconfig.json':
      '{"compilerOptions":{"strict":true,"types":[],"lib":["es5"]},"files":["a.ts"]}',
    'a.ts': 'export const a: number = "x";\n',
    'node_modules/.bin/.keep': '',
  });
  await symlink(COMPILER, join(root, 'node_modules/typescript'));
  await symlink('../typescript/bin/tsc', join(root, 'node_modules/.bin/tsc'));
  const bad = await look();
  expect(bad).toMatchObject({ outcome: 'failed', wrote: false, receipt: { exitCode: 2 } });
  expect(bad.text).toContain("a.ts:1:14 error: Type 'string' is not assignable to type 'number'.");
  expect((await proof('get_diagnostics', [rowOf(bad)])).kind).toBe('failed');
  await put('a.ts', 'export const a: number = 1;\n');
  const good = await look();
  expect(good).toMatchObject({ outcome: 'succeeded', text: 'tsc: no errors.' });
  const written = { ...rowOf(good, 2), tool: 'write_file', receipt: { writes: ['a.ts'] } };
  for (const cited of ['get_diagnostics', './node_modules/.bin/tsc --noEmit -p tsconfig.json']) {
    expect(await proof(cited, [rowOf(good)])).toEqual({ kind: 'proves', seq: 1 });
    expect((await proof(cited, [rowOf(good), written as LedgerRow])).kind).toBe('stale');
  }
});

const failsIn = (path: string) =>
  `#!/bin/sh\necho "${path}(1,2): error TS1: it is wrong"\nexit 2\n`;

test('C19 a look at some files counts for them, and what failed elsewhere is not cited', async () => {
  const { look, put } = await project({
    'tsconfig.json': '{}',
    'node_modules/.bin/tsc': failsIn('src/a.ts'),
    'src/a.ts': '',
    'src/b.ts': '',
  });
  expect(await look({ paths: ['src/a.ts'] })).toMatchObject({ outcome: 'failed' });
  const other = await look({ paths: ['src/b.ts'] });
  expect(other).toMatchObject({ outcome: 'succeeded', receipt: { reads: ['src/b.ts'] } });
  expect((await proof('get_diagnostics', [rowOf(other)])).kind).toBe('narrowed');
  expect((await proof('get_diagnostics', [rowOf(other)], ['src/b.ts'])).kind).toBe('proves');
  expect((await proof('./node_modules/.bin/tsc --noEmit', [rowOf(other)])).kind).not.toBe('proves');
  expect(await look({ paths: ['../x'] })).toMatchObject({ outcome: 'refused' });
  expect(await look({ paths: ['none.ts'] })).toMatchObject({ outcome: 'failed' });
  await put('node_modules/.bin/tsc', '#!/bin/sh\necho broken; exit 1\n');
  const unread = await look({ paths: ['src/b.ts'] });
  expect(unread).toMatchObject({ outcome: 'failed', text: expect.stringContaining('broken') });
});

test('a project without a checker, or with one that is not installed, is told so', async () => {
  const { look, put } = await project({ 'a.txt': '' });
  expect((await look()).text).toMatch(/no checker was found/);
  await put('tsconfig.json', '{}');
  expect((await look()).text).toMatch(/tsc, which is not installed/);
});

test('Python and what its project is set up for: ruff, mypy and the compiler', async () => {
  const { look } = await project({
    'pyproject.toml': '[tool.ruff]\n[tool.mypy]\nstrict = true\n',
    'a.py': 'def f(:\n',
    '.venv/bin/ruff': '#!/bin/sh\necho "a.py:1:7: F401 [*] it is unused"\nexit 1\n',
    '.venv/bin/mypy': '#!/bin/sh\nexit 0\n',
  });
  const { text, receipt } = await look();
  expect(text).toContain('a.py:1:7 error: [*] it is unused (F401)');
  expect(text).toContain('mypy: no errors.');
  expect(text).toContain('a.py:1 error: SyntaxError');
  expect(receipt.reason).toMatch(/python found errors.*ruff found errors/);
});

test('C19 checkers of the policy run beside those of the project, or in their place', async () => {
  const lint = `grep -nH TODO {paths} | sed 's/TODO/error: unfinished/'; ! grep -q TODO {paths}`;
  const { look, put } = await project(
    {
      'eslint.config.js': '',
      'node_modules/.bin/eslint': 'exit 9',
      'a.txt': 'TODO: all\n',
      'b.txt': '',
    },
    [
      { name: 'todos', command: lint.replaceAll('{paths}', '*.txt') },
      { name: 'eslint', command: 'echo "src/a.js(3,7): warning W1: odd"' },
    ],
  );
  const found = await look();
  expect(found).toMatchObject({ outcome: 'failed', receipt: { exitCode: 1 } });
  expect(found.text).toBe(
    'todos found errors (exit 1):\na.txt:1 error: unfinished: all\neslint: no errors.\nsrc/a.js:3:7 warning: odd (W1)',
  );
  await put('a.txt', 'done\n');
  expect(await look()).toMatchObject({ outcome: 'succeeded', receipt: { isolation: 'none' } });
});

test('a checker of the policy that is told the paths looks at those alone', async () => {
  const command = 'for f in {paths}; do echo "$f:1:1: error: seen"; done; false';
  const { look } = await project({ 'a b.c': '', 'd.c': '' }, [{ name: 'all', command }]);
  const { text } = await look({ paths: ['a b.c'] });
  expect(text).toBe('all found errors (exit 1):\na b.c:1:1 error: seen');
});
