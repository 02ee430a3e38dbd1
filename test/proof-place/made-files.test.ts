import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isBuiltPlace, likeScratch, mayJudge } from '../../src/proof/scope/built-places.ts';
import { watchMade } from '../../src/proof-place/made-files.ts';
import { besideCaches } from '../../src/sandbox/goal-folders.ts';

test('each name that came up is told, also one that is gone, and nothing outside', async () => {
  const root = mkdtempSync(join(tmpdir(), 'goalkeeper-made-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const home = `${root}/home`;
  const put = (path: string) => writeFileSync(join(root, path), '');
  mkdirSync(join(root, 'test'));
  put('before.js');
  const made = watchMade(root, ['.', 'test'], home);
  put('home/.npmrc');
  put('test/gone.py');
  rmSync(join(root, 'test/gone.py'));
  put('before.js');
  mkdirSync(join(root, 'new/.bin'), { recursive: true });
  put('new/.bin/diff');
  put('pytest-cache-files-51kg');
  rmSync(join(root, 'pytest-cache-files-51kg'));
  mkdirSync(join(root, 'dist'));
  put('dist/built.js');
  symlinkSync('/', join(root, 'link'));
  expect(await made()).toEqual(['link', 'new/.bin/diff', 'test/gone.py', '~/.npmrc']);
});

test.each([
  ['target2KVAzG', 'target'],
  ['targetAbc1Xy', 'target'],
  ['targetxkqzzw', 'target'],
  ['build_3f9k2a', 'build'],
  ['distabcd1234', 'dist'],
])('%s, put in its place by then, is where builds write', async (name, place) => {
  const root = mkdtempSync(join(tmpdir(), 'goalkeeper-made-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const made = watchMade(root, ['.'], `${root}/home`);
  mkdirSync(join(root, name));
  renameSync(join(root, name), join(root, place));
  expect(await made()).toEqual([]);
});

test('a file under such a name that is there at the end is told', async () => {
  const root = mkdtempSync(join(tmpdir(), 'goalkeeper-made-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const made = watchMade(root, ['.'], `${root}/home`);
  writeFileSync(join(root, 'target2KVAzG'), '');
  expect(await made()).toEqual(['target2KVAzG']);
});

test.each(['test/conftest.py', 'node_modules/.bin/diff', 'rules.mk', 'same.js', '.env', 'tool'])(
  '%s may judge',
  (path) => expect(isBuiltPlace(path) || !mayJudge(path)).toBe(false),
);

test.each([
  ...['dist/a.js', 'tests/__pycache__/a.pyc', '.pytest_cache/v/x', 'report.xml', 'junit.xml'],
  ...['.coverage', 'a.txt', 'src/a.o', 'coverage/lcov.info', 'test/tmp/a.js', 'out.log'],
])('%s is what a run builds, keeps or reports', (path) =>
  expect(isBuiltPlace(path) || !mayJudge(path)).toBe(true),
);

test.each([
  ['.cache/go-build/a', ''],
  ['.m2/repository/a', ''],
  ['.m2/settings.xml', 'settings.xml'],
  ['.npmrc', null],
])('%s of a home lies beside caches as %s', (path, beside) =>
  expect(besideCaches(path)).toBe(beside),
);

test.each([
  ['test/sedx8Kq', 'test/sedAbC1', true],
  ['vite.config.ts.timestamp-1.mjs', 'vite.config.ts.timestamp-2.mjs', true],
  ['stx4usIg', 'stJ0aQvw', true],
  ['src/stx4usIg', 'stJ0aQvw', false],
  ['x4usIg', 'Makefi', false],
  ['Makefile', 'stJ0aQvw', false],
  ['test/conftest.py', 'test/conf.mjs', false],
  ['conftest.py', 'test/conftest.py', false],
])('WORD-4: %s and %s are scratch of one kind: %s', (one, other, isSame) => {
  expect(likeScratch(one).some((like) => likeScratch(other).includes(like))).toBe(isSame);
});
