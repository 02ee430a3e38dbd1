import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ProofGround } from '../../../src/contract/original.ts';
import { isDeliverable, nameOf } from '../../../src/evidence/proof/changes.ts';
import { differences } from '../../../src/evidence/proof/differences.ts';
import { readDependencies } from '../../../src/proof-place/dependencies.ts';
import { keepOriginal, readOriginal, withComparison } from '../../../src/proof-place/original.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'goalkeeper-shadows-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

type Files = Readonly<Record<string, string>>;

function put(files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, 'shop', path)), { recursive: true });
    writeFileSync(join(root, 'shop', path), text);
  }
}

/** The new files that no scope can include. */
async function shadowsAfter(before: Files, added: Files): Promise<string[]> {
  const [home, workspace] = [join(root, 'home'), join(root, 'shop')];
  put({ '.gitignore': 'node_modules\n', ...before });
  const original = await keepOriginal(home, 'g-1', workspace);
  const tree = await readOriginal(home, 'g-1', original);
  const dependencies = await readDependencies(workspace, tree);
  put(added);
  const ground: ProofGround = {
    original,
    scope: { change: ['src/**', 'lib/**'], keep: [] },
    dependencies,
  } as never;
  return await withComparison({ home, goalId: 'g-1', workspace }, original, async (trees) => {
    const { changes } = await differences(workspace, ground, trees, []);
    return changes.filter((change) => !isDeliverable(change)).map(nameOf);
  });
}

const CHAI = { 'node_modules/chai/package.json': '{"name":"chai"}', 'src/sum.ts': 'x\n' };
const NEW = { 'src/chai.ts': 'y\n', 'src/mean.ts': 'y\n', 'src/assert/index.ts': 'y\n' };

test('a module takes the name of a package where baseUrl leads to it', async () => {
  const config = '{ // the root of imports\n "compilerOptions": { "baseUrl": "src", } }';
  const found = await shadowsAfter({ ...CHAI, 'tsconfig.json': config }, NEW);
  expect(found).toEqual(['src/assert/index.ts', 'src/chai.ts']);
});

test('so it does by a pattern of paths, and by none it does not', async () => {
  const config = '{ "compilerOptions": { "baseUrl": ".", "paths": { "ch*": ["src/ch*"] } } }';
  expect(await shadowsAfter({ ...CHAI, 'tsconfig.json': config }, NEW)).toEqual(['src/chai.ts']);
});

test('without such a setting it is a module like any other', async () => {
  expect(await shadowsAfter({ ...CHAI, 'tsconfig.json': '{}' }, NEW)).toEqual([]);
});

test('where a runner looks for modules in its own ways, each end of a path may be its name', async () => {
  const config = 'export default { test: { alias: { "@": "./src" } } };\n';
  expect(await shadowsAfter({ ...CHAI, 'vitest.config.ts': config }, NEW)).toEqual([
    'src/assert/index.ts',
    'src/chai.ts',
  ]);
});

test('a class takes the name of one that the tests have from outside', async () => {
  const found = await shadowsAfter(
    {
      'src/main/java/shop/Sum.java': 'package shop;\nclass Sum {}\n',
      'src/test/java/shop/SumTest.java': 'package shop;\nimport org.junit.Assert;\n',
    },
    {
      'src/main/java/org/junit/Assert.java': 'package org.junit;\nclass Assert {}\n',
      'src/main/java/shop/Mean.java': 'package shop;\nclass Mean {}\n',
    },
  );
  expect(found).toEqual(['src/main/java/org/junit/Assert.java']);
});

test('a module that is found before data, and one before a folder', async () => {
  const before = { 'src/tables/sums.json': '{}\n', 'src/rates/index.js': 'x\n' };
  const added = {
    'src/tables/sums.js': 'y\n',
    'src/rates.js': 'y\n',
    'src/tables/other.js': 'y\n',
  };
  expect(await shadowsAfter(before, added)).toEqual(['src/rates.js', 'src/tables/sums.js']);
});

test.each([
  ['Perl', { 't/lib/Same.pm': 'package Same;\n' }, 'lib/Same.pm', 'lib/Other.pm'],
  ['Python', { 'tests/support/matching.py': 'x = 1\n' }, 'src/matching.py', 'src/other.py'],
  ['Ruby', { 'spec/support/same.rb': 'x = 1\n' }, 'lib/same.rb', 'lib/other.rb'],
])('%s finds a module of the work before a helper of the judge', async (_, before, taken, free) => {
  expect(await shadowsAfter(before, { [taken]: 'y\n', [free]: 'y\n' })).toEqual([taken]);
});
