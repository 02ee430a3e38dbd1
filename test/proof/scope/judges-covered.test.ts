import { expect, test } from 'vitest';
import { judgesCovered } from '../../../src/proof/scope/infer-scope.ts';
import { filesOfCommands } from '../../../src/proof/scope/named-files.ts';
import { treeOf } from '../../../src/proof/scope/tree.ts';
import { changeable, json } from './projects.ts';

const covered = (files: Record<string, string>, command: string, change = ['src/**']) => [
  ...judgesCovered(
    { change, keep: [] },
    { paths: Object.keys(files), read: (path) => files[path] ?? null, commands: [command] },
  ).keys(),
];

const npm = (script: string) => ({ 'package.json': json({ scripts: { test: script } }) });
const code = { 'src/add.js': '', 'src/verify.js': '', 'src/plug.py': '', 'src/version.inc': '' };

test.each([
  ['what a script of the criterion runs last', npm('node src/verify.js'), 'npm test'],
  ['what the criterion itself runs last', {}, 'node src/add.js && node --check src/verify.js x'],
])('%s judges by its exit code', (_, more, command) => {
  expect(covered({ ...code, ...more }, command)).toEqual(['src/verify.js']);
  expect(covered({ ...code, ...more }, command, ['src/**', 'src/verify.js'])).toEqual([]);
});

test.each([
  'node src/add.js 2 3 | grep -q 5',
  'node src/add.js > out.txt && diff out.txt test/expected.txt',
  'test "$(node src/add.js)" = 5',
  'cc -Isrc test/test_add.c src/add.c -o /tmp/t && /tmp/t',
  'node --test',
  'python3 -m doctest src/plug.py',
])('a command that compares leaves its program the work: %s', (command) => {
  expect(covered(code, command)).toEqual([]);
});

test('the entry of a manifest is the product, also where a command ends with it', () => {
  const files = { ...code, 'package.json': json({ bin: 'src/verify.js' }) };
  expect(covered(files, 'node src/verify.js --version')).toEqual([]);
});

test.each([
  ['pytest.ini', '[pytest]\naddopts = -p plug\n', 'src/plug.py'],
  ['Makefile', '-include src/version.inc\ntest:\n\ttrue\n', 'src/version.inc'],
])('what %s names for its runner judges', (path, text, named) => {
  expect(covered({ ...code, [path]: text }, 'make test')).toEqual([named]);
});

test('what a recipe names, also where a comment stands behind its target', () => {
  const files = {
    ...code,
    Makefile: 'all:\n\ttrue\nlint:\n\ttrue\ntest: all ## Tests it\n\tnode src/verify.js\n',
  };
  const read = (path: string) => (files as Record<string, string>)[path] ?? null;
  const tree = treeOf({ paths: Object.keys(files), read, commands: [] }, []);
  expect([...filesOfCommands(tree, ['make test']).keys()]).toEqual(['src/verify.js']);
});

test('what the build makes of a program that a test runs', () => {
  const files = {
    Makefile: 'unit: src/unit.c src/add.o\ntest: unit\n\t./unit\nadd: src/app.c src/add.o\n',
    ...{ 'src/unit.c': 'int main(void) { return 0; }', 'src/add.c': '', 'src/app.c': '' },
  };
  expect(covered(files, 'make test')).toEqual(['src/unit.c']);
  expect(covered(files, 'make')).toEqual([]);
});

test('data that tests name and nothing of the product does', () => {
  const files = {
    ...{ 'src/add.js': "require('./rates.json')", 'src/sums.json': '', 'src/rates.json': '' },
    ...{ 'src/locales/de.json': '', 'src/say.js': "read('locales/' + language)" },
    'test/add.test.js': "require('../src/sums'); read('rates.json'); read('src/locales/de.json')",
  };
  expect(covered(files, 'node --test')).toEqual(['src/sums.json']);
});

test.each([
  [
    { 'src/add.js': '', 'src/verify.js': '', 'package.json': json({}) },
    { 'test/add.test.js': "require('../src/verify.js'); require('../src/add.js')" },
  ],
  [
    { 'go.mod': 'module x\n', 'pkg/add.go': 'package pkg\n', 'internal/same/same.go': '' },
    { 'pkg/add_test.go': 'package pkg\nimport (\n\t"testing"\n\t"x/internal/same"\n)\n' },
  ],
  [
    { 'src/add.c': '#include "add.h"', 'src/add.h': '', 'src/minunit.h': '' },
    { 'test/test_add.c': '#include "minunit.h"\n#include "add.h"' },
  ],
])('a helper that only the tests of a subject use is not inferred', (files, tests) => {
  const inferred = changeable({ ...files, ...tests }, []);
  expect(inferred.some((path) => /verify|same|minunit/.test(path))).toBe(false);
  expect(inferred.some((path) => /add/.test(path))).toBe(true);
});

test('a header that the compiled test includes stays the work with its source', () => {
  const files = {
    'src/add.c': '#include "add.h"',
    'src/add.h': '',
    'test/test_add.c': '#include "add.h"',
  };
  expect(changeable(files, ['cc -Isrc test/test_add.c src/add.c -o t && ./t'])).toEqual([
    'src/add.h',
  ]);
});

test('sources that no test is named after stay the work', () => {
  const files = {
    ...{ 'src/add.js': '', 'src/multiply.js': '', 'package.json': json({}) },
    'test/all.test.js': "require('../src/multiply.js'); require('../src/add.js')",
  };
  expect(changeable(files, [])).toEqual(['src/add.js', 'src/multiply.js']);
});
