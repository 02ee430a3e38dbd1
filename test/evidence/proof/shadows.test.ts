import { expect, test } from 'vitest';
import { undeliverableAfter } from './undeliverable.ts';

const CHAI = { 'node_modules/chai/package.json': '{"name":"chai"}', 'src/sum.ts': 'x\n' };
const NEW = { 'src/chai.ts': 'y\n', 'src/mean.ts': 'y\n', 'src/assert/index.ts': 'y\n' };

test('a module takes the name of a package where baseUrl leads to it', async () => {
  const config = '{ // the root of imports\n "compilerOptions": { "baseUrl": "src", } }';
  const found = await undeliverableAfter({ ...CHAI, 'tsconfig.json': config }, NEW);
  expect(found).toEqual(['src/assert/index.ts', 'src/chai.ts']);
});

test('so it does by a pattern of paths, and by none it does not', async () => {
  const config = '{ "compilerOptions": { "baseUrl": ".", "paths": { "ch*": ["src/ch*"] } } }';
  expect(await undeliverableAfter({ ...CHAI, 'tsconfig.json': config }, NEW)).toEqual([
    'src/chai.ts',
  ]);
});

test('without such a setting it is a module like any other', async () => {
  expect(await undeliverableAfter({ ...CHAI, 'tsconfig.json': '{}' }, NEW)).toEqual([]);
});

test('where a runner looks for modules in its own ways, each end of a path may be its name', async () => {
  const config = 'export default { test: { alias: { "@": "./src" } } };\n';
  expect(await undeliverableAfter({ ...CHAI, 'vitest.config.ts': config }, NEW)).toEqual([
    'src/assert/index.ts',
    'src/chai.ts',
  ]);
});

test('a class takes the name of one that the tests have from outside', async () => {
  const found = await undeliverableAfter(
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
  expect(await undeliverableAfter(before, added)).toEqual(['src/rates.js', 'src/tables/sums.js']);
});

test.each([
  ['Perl', { 't/lib/Same.pm': 'package Same;\n' }, 'lib/Same.pm', 'lib/Other.pm'],
  ['Python', { 'tests/support/matching.py': 'x = 1\n' }, 'src/matching.py', 'src/other.py'],
  ['Ruby', { 'spec/support/same.rb': 'x = 1\n' }, 'lib/same.rb', 'lib/other.rb'],
])('%s finds a module of the work before a helper of the judge', async (_, before, taken, free) => {
  expect(await undeliverableAfter(before, { [taken]: 'y\n', [free]: 'y\n' })).toEqual([taken]);
});
