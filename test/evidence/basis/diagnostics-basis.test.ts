import { execFile } from 'node:child_process';
import { chmod, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { detectCheckers } from '../../../src/diagnostics/checkers.ts';
import { listTree } from '../../../src/evidence/basis/read.ts';
import { readDiagnosticsBasis } from '../../../src/evidence/basis/read-diagnostics-basis.ts';
import { project, write } from './support.ts';

const shell = promisify(execFile);

const read = async (folder: string, paths?: string[], known?: string[]) => {
  const spec = { kind: 'diagnostics' as const, ...(paths === undefined ? {} : { paths }) };
  return await readDiagnosticsBasis(await listTree(folder), spec, known);
};
const namesOf = async (folder: string, paths?: string[]) =>
  [...(await read(folder, paths)).entries.keys()].filter(
    (name) => name !== 'executable:python3' && !name.startsWith('sources:'),
  );

describe('what a diagnostics criterion rests on', () => {
  test('R43 the compiler: its configuration with all that it extends, before it is installed', async () => {
    const folder = await project({
      'tsconfig.json': '{ "extends": ["./config/base", "@tools/strict/tsconfig.json"] } // mine',
      'config/base.json': '{ "extends": "../more.json" }',
      'more.json': '{ "files": ["./src/a.ts"] }',
      'node_modules/@tools/strict/tsconfig.json': '{}',
      'src/a.ts': 'export const a = 1;\n',
      'packages/other/tsconfig.json': '{}',
    });
    expect(await namesOf(folder)).toEqual([
      'config/base.json',
      'more.json',
      'node_modules/@tools/strict/tsconfig.json',
      'tsconfig.json',
    ]);
    expect((await read(folder)).installed).toContain('node_modules/@tools/strict/tsconfig.json');
  });

  test('R43 a linter: its configuration everywhere, what git ignores and what it imports', async () => {
    const folder = await project({
      'eslint.config.js': "import rules from './tools/rules.js';\nexport default [rules];\n",
      'tools/rules.js': 'export default {};\n',
      'package.json': '{"dependencies":{},"eslintConfig":{"rules":{}}}',
      '.gitignore': '.eslintrc.json\nbad.js\n',
      'src/.eslintrc.json': '{}',
      'src/bad.js': '/* eslint-disable */\n',
      'src/good.js': '',
    });
    expect(await namesOf(folder)).toEqual([
      'eslint.config.js',
      'src/.eslintrc.json',
      'tools/rules.js',
      'package.json#eslintConfig',
      'suppressions:src/bad.js',
    ]);
  });

  test('R43 files that git ignores, where a linter leaves them out', async () => {
    const useIgnoreFile = { vcs: { enabled: true, clientKind: 'git', useIgnoreFile: true } };
    const folder = await project({ 'biome.json': JSON.stringify(useIgnoreFile), '.gitignore': '' });
    expect(await namesOf(folder)).toEqual(['.gitignore', 'biome.json']);
  });

  test("R43 Go: a module's name and what it leaves out, and not its dependencies", async () => {
    const folder = await project({
      'go.mod': 'module a\n\ngo 1.25\n\nrequire b v1.0.0\n\nignore (\n\t./old\n)\n',
      'sub/go.mod': 'module sub\n',
    });
    const { entries } = await read(folder);
    expect(entries.get('go.mod')?.text).toBe('module a\nignore (\n\t./old\n)');
    expect(entries.get('sub/go.mod')?.text).toBe('module sub');
  });

  test('R43 silence counts in the files that were asked about', async () => {
    const folder = await project({
      'src/a.ts': '// @ts-nocheck\n',
      'src/b.py': 'x = 1  # noqa\n',
      'srcs/c.ts': '// @ts-ignore\n',
      'node_modules/x/d.ts': '// @ts-nocheck\n',
      '.venv/lib/e.py': '# type: ignore\n',
    });
    const everything = ['suppressions:src/a.ts', 'suppressions:src/b.py', 'suppressions:srcs/c.ts'];
    expect(await namesOf(folder)).toEqual(everything);
    expect(await namesOf(folder, ['./src/'])).toEqual(everything.slice(0, 2));
    expect(await namesOf(folder, ['srcs/c.ts'])).toEqual(everything.slice(2));
  });

  test('R43 a checker in place of an installed one is another one; one that is installed may come', async () => {
    const folder = await project({
      'tsconfig.json': '{}',
      'node_modules/typescript/package.json':
        '{"name":"typescript","version":"6.0.0","bin":{"tsc":"bin/tsc"}}',
      'node_modules/typescript/bin/tsc': '#!/bin/sh\n',
    });
    await chmod(join(folder, 'node_modules/typescript/bin/tsc'), 0o755);
    await mkdir(join(folder, 'node_modules/.bin'));
    await symlink('../typescript/bin/tsc', join(folder, 'node_modules/.bin/tsc'));
    const name = 'executable:./node_modules/.bin/tsc';
    const before = await read(folder);
    expect(before.installed).toEqual([name]);
    await write(folder, { 'node_modules/.bin/tsc': '#!/bin/sh\nexit 0\n' });
    const after = await read(folder);
    expect(after.entries.get(name)?.sha256).not.toBe(before.entries.get(name)?.sha256);
  });

  test('R43 a folder that git ignores by now is looked at as at the baseline', async () => {
    const folder = await project({ 'src/a.ts': 'f();\n', 'docs/a.md': '' });
    const before = [...(await read(folder)).entries.keys()];
    expect(before).toEqual(['sources:src']);
    const silent = '// @ts-nocheck\n';
    await write(folder, { '.gitignore': 'src/\ndist/\n', 'src/a.ts': silent, 'dist/a.ts': silent });
    const { entries } = await read(folder, undefined, before);
    expect([...entries.keys()]).toEqual(['sources:src', 'suppressions:src/a.ts']);
  });

  test('R43 what the baseline knew is looked at, wherever the configuration leads now', async () => {
    const folder = await project({ 'tsconfig.json': '{}', 'base.json': '{"x":1}' });
    const { entries } = await read(folder, undefined, ['base.json', 'gone.json', 'link:x', '~/y']);
    expect([...entries.keys()]).toEqual(['base.json', 'tsconfig.json', 'sources:.']);
  });
});

test('C19 a module of the workspace does not take the place of the compiler', async () => {
  const folder = await project({ 'app.py': 'print(\n', 'compileall.py': '' });
  const [checker] = await detectCheckers(folder);
  const compile = () => shell('bash', ['-c', checker?.command ?? ''], { cwd: folder });
  await expect(compile()).rejects.toMatchObject({ code: 1 });
  await write(folder, { 'app.py': 'print()\n' });
  await compile();
  expect((await listTree(folder)).files).toEqual(['app.py', 'compileall.py']);
});
