import { chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listTree, readCriterionBasis, resolveHere } from '../../../src/evidence/runners/resolve.ts';
import { project, write } from '../runner-projects.ts';

const command = (text: string, cwd?: string) => ({
  kind: 'command' as const,
  command: text,
  ...(cwd === undefined ? {} : { cwd }),
});

const manifest = (scripts: Record<string, string>) => JSON.stringify({ name: 'x', scripts });

const files = {
  'package.json': manifest({
    test: 'npm run unit && npm run e2e:web',
    pretest: 'npm run build',
    build: 'tsc -p .',
    unit: 'cross-env CI=1 vitest run',
    'e2e:web': 'playwright test',
    all: 'run-p "e2e:*" unit',
    everywhere: 'npm run check --workspaces',
    shell: 'bash -c "cd packages/a && yarn check"',
  }),
  'packages/a/package.json': manifest({ check: 'node --test', precheck: 'eslint .' }),
  'packages/b/package.json': manifest({ check: 'jest' }),
  Makefile:
    'RUN = pytest -q\n.PHONY: check\ncheck: lint\n\t@$(RUN)\nlint:\n\truff check .\nother:\n\tgo test ./...\n',
};

describe('what a command really runs', () => {
  test.each([
    ['npm test', ['vitest'], ['test', 'pretest', 'build', 'unit', 'e2e:web']],
    ['npm run all', ['vitest'], ['all', 'unit', 'e2e:web']],
    ['npm --prefix packages/a run check', ['node:test'], ['check', 'precheck']],
    ['pnpm -C packages/b check', ['jest'], ['check']],
    ['cd packages/b && yarn check', ['jest'], ['check']],
    ['npm run everywhere', ['jest', 'node:test'], ['everywhere', 'check', 'check', 'precheck']],
    ['npm run shell', ['node:test'], ['shell', 'check', 'precheck']],
    ['make check', ['pytest'], []],
    ['make -C . other', ['go test'], []],
    ['npx -y jest --ci', ['jest'], []],
    ['pnpm exec vitest run', ['vitest'], []],
    ['CI=1 timeout 60 env A=b python3 -m pytest -x', ['pytest'], []],
    ['poetry run coverage run -m pytest', ['pytest'], []],
    ['node --experimental-vm-modules node_modules/.bin/jest', ['jest'], []],
  ])('%s', async (text, runners, scripts) => {
    const folder = await project(files);
    const found = await resolveHere(folder, command(text));
    expect([...found.runners].sort()).toEqual(runners);
    const names = [...found.scripts.keys()].map((name) => name.replace(/.*#scripts\./, ''));
    expect(names.sort()).toEqual(scripts.sort());
  });

  test.each([
    ['test -f answer.txt && grep -q 42 answer.txt', true],
    ['node build.js | jq .', true],
    ['./run-everything', true],
    ['unheard-of --check', false],
    ['bash scripts/test.sh', false],
  ])('%s is understood: %s', async (text, isUnderstood) => {
    const found = await resolveHere(await project({}), command(text));
    expect(found.isUnderstood).toBe(isUnderstood);
  });
});

describe('files that a command names as its check', () => {
  const files = {
    Makefile: 'test:\n\tsh tests/run.sh\nunit:\n\tsh scripts/build.sh && node --test\n',
    'package.json': manifest({ test: 'node run-all.js', built: 'node build.js && node --test' }),
    'run-all.js': '',
    'build.js': '',
    'app.sh': '',
    'scripts/build.sh': '',
    'scripts/verify.sh': 'cd "$(dirname "$0")/.."\n. scripts/lib.sh\nsh checks/all.sh\nsh app.sh\n',
    'scripts/lib.sh': '',
    'checks/all.sh': '',
    'bin/check': '#!/bin/sh\nexec sh check.sh\n',
    'check.sh': '[ "$(sh app.sh)" = Hello ]\n',
    'tests/run.sh': 'for one in tests/*.test.sh; do sh "$one"; done\n',
  };

  test.each([
    ['bin/check', ['bin/check', 'check.sh']],
    ['./bin/check --all', ['bin/check', 'check.sh']],
    ['timeout 60 bash -eu bin/check', ['bin/check', 'check.sh']],
    ['sh -c "./bin/check"', ['bin/check', 'check.sh']],
    ['cd bin && ./check', ['bin/check']],
    ['bin/check 2>&1 | tail -20', ['bin/check', 'check.sh']],
    ['sh scripts/verify.sh', ['checks/all.sh', 'scripts/lib.sh', 'scripts/verify.sh']],
    ['node run-all.js', ['run-all.js']],
    ['npm test', ['run-all.js']],
    ['make test', ['tests/run.sh']],
    ['npm run built', []],
    ['make unit', []],
    ['sh app.sh | grep -q Hello', []],
    ['[ "$(sh app.sh)" = Hello ]', []],
    ['test "$(./bin/check)" = fine', []],
    ['node -e "process.exit()" run-all.js', []],
    ['./build/app', []],
  ])('%s: %j', async (text, named) => {
    const found = await resolveHere(await project(files), command(text));
    expect([...found.named].sort()).toEqual(named);
  });
});

describe('what a criterion rests on', () => {
  const read = async (folder: string, text: string, known?: string[]) =>
    readCriterionBasis(await listTree(folder), command(text), known);
  const namesOf = async (folder: string, text: string) =>
    [...(await read(folder, text)).entries.keys()].filter((name) => !/^executable:|^~/.test(name));

  const sample = {
    'package.json': JSON.stringify({
      type: 'module',
      scripts: { test: 'node --test', other: 'x' },
    }),
    '.npmrc': '//registry/:_authToken=secret\n',
    'jest.config.js': '',
    'pytest.ini': '',
    'src/a.js': '',
    'test/a.test.js': '',
  };

  test('only what its command can rest on', async () => {
    const folder = await project(sample);
    expect((await namesOf(folder, 'npm test')).sort()).toEqual([
      '.npmrc',
      'package.json#scripts.test',
      'package.json#type',
      'test/a.test.js',
    ]);
    expect(await namesOf(folder, 'test -f src/a.js')).toEqual([]);
    expect((await namesOf(folder, 'unheard-of')).sort()).toEqual([
      '.npmrc',
      'jest.config.js',
      'package.json#type',
      'pytest.ini',
      'test/a.test.js',
    ]);
  });

  test('a script that is no known runner may run any test; one that came later, none', async () => {
    const folder = await project({ ...sample, 'run.sh': '' });
    expect(await namesOf(folder, 'sh run.sh')).toEqual(
      expect.arrayContaining(['run.sh', 'test/a.test.js', 'jest.config.js']),
    );
    expect([...(await read(folder, 'sh run.sh', [])).entries.keys()]).toEqual(['executable:sh']);
  });

  test('a script that git ignores is made anew and no check', async () => {
    const folder = await project({ 'dist/main.js': '', '.gitignore': 'dist/\n' });
    expect(await namesOf(folder, 'node dist/main.js')).toEqual([]);
  });

  test('secrets are hashed and never kept as text', async () => {
    const { entries } = await read(await project(sample), 'npm test');
    expect(entries.get('.npmrc')).toMatchObject({ text: null });
  });

  test('configuration that git ignores is seen, and a test file that it ignores later as well', async () => {
    const folder = await project({ ...sample, '.gitignore': '.npmrc\ntest/\n' });
    const { entries } = await read(folder, 'npm test', ['test/a.test.js']);
    expect([...entries.keys()]).toEqual(expect.arrayContaining(['.npmrc', 'test/a.test.js']));
  });

  test('a program planted before the real one is another executable; an installed one may come', async () => {
    const folder = await project(sample);
    const before = await read(folder, 'npm test');
    await write(folder, { 'node_modules/.bin/node': '#!/bin/sh\nexit 0\n' });
    await chmod(join(folder, 'node_modules/.bin/node'), 0o755);
    const planted = await read(folder, 'npm test');
    expect(planted.entries.get('executable:node')).not.toEqual(
      before.entries.get('executable:node'),
    );
    expect(planted.installed).not.toContain('executable:node');

    await write(folder, {
      'node_modules/jest/package.json': JSON.stringify({
        name: 'jest',
        version: '1.0.0',
        bin: './bin/jest.js',
      }),
      'node_modules/jest/bin/jest.js': '#!/usr/bin/env node\n',
      'node_modules/.bin/fake': '#!/bin/sh\n',
    });
    await chmod(join(folder, 'node_modules/jest/bin/jest.js'), 0o755);
    await chmod(join(folder, 'node_modules/.bin/fake'), 0o755);
    await symlink('../jest/bin/jest.js', join(folder, 'node_modules/.bin/jest'));
    expect((await read(folder, 'npx jest')).installed).toContain('executable:jest');
    expect((await read(folder, 'npx fake')).installed).not.toContain('executable:fake');
  });

  test('git configuration and hooks, without who commits and where to', async () => {
    const folder = await project({
      '.git/config': '[core]\n\tbare = false\n[user]\n\tname = a\n',
      '.git/hooks/pre-commit': '#!/bin/sh\n',
      '.git/hooks/pre-push.sample': '',
    });
    const { entries } = await read(folder, 'git diff --exit-code');
    expect(entries.get('git:config')?.text).toBe('[core]\n\tbare = false');
    expect([...entries.keys()].filter((name) => name.startsWith('git:hooks'))).toEqual([
      'git:hooks/pre-commit',
    ]);
  });

  test('paths that the criterion names itself', async () => {
    const folder = await project({ 'data/a.json': '{}', 'data/b.json': '{}', 'x.txt': 'x' });
    const spec = { ...command('test -f x.txt'), basis: ['./data/', 'x.txt', 'none.txt'] };
    const { entries } = await readCriterionBasis(await listTree(folder), spec);
    expect([...entries.keys()].sort()).toEqual(['data/a.json', 'data/b.json', 'x.txt']);
  });
});
