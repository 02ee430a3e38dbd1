import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TreeEntry } from '../../src/checkpoints/stored-tree.ts';
import { compareDependencies, readDependencies } from '../../src/proof-place/dependencies.ts';

let workspace: string;
const entry: TreeEntry = { kind: 'file', mode: 0o644, object: 'a' };
const tree = {
  entries: new Map(['package.json', 'packages/a/index.js'].map((path) => [path, entry] as const)),
};

beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'goalkeeper-dependencies-'));
  put('package.json', '{}');
  put('packages/a/index.js', '');
  put('node_modules/chai/index.js', 'module.exports = 1;');
  put('node_modules/chai/node_modules/deep/index.js', '2');
  put('node_modules/.bin/mocha', '#!/usr/bin/env node');
  put('node_modules/.cache/babel/1.json', '{}');
  put('packages/a/node_modules/b/index.js', '3');
  put('.venv/pyvenv.cfg', 'home = /usr/bin');
  put('.venv/lib/python3/site-packages/pytest.py', 'def main(): ...');
  put('.venv/lib/python3/site-packages/__pycache__/pytest.pyc', 'x');
  put('dist/index.js', 'built');
});
// A path may be too long for Node.
afterEach(() => void execFileSync('rm', ['-rf', workspace]));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(workspace, path)), { recursive: true });
  writeFileSync(join(workspace, path), text);
}

const FOLDERS = ['.venv', 'node_modules', 'packages/a/node_modules'];

test('installed packages are found beside the files of the tree; what is built is none', async () => {
  const found = Object.keys(await readDependencies(workspace, tree));
  expect(found.sort()).toEqual([...FOLDERS, 'node_modules/.bin', 'node_modules/.cache'].sort());
});

test('folders that nobody touched are lent, with their caches empty', async () => {
  const before = await readDependencies(workspace, tree);
  put('node_modules/.cache/babel/1.json', '{"poisoned":true}');
  put('node_modules/.vite/results.json', '{}');
  put('.venv/lib/python3/site-packages/__pycache__/other.pyc', 'y');
  const { unchanged, changed } = await compareDependencies(workspace, before, tree);
  expect(changed).toEqual([]);
  const lent = unchanged.map((folder) => folder.lent);
  expect(lent.map(({ at }) => at).sort()).toEqual(FOLDERS);
  expect(lent.find(({ at }) => at === 'node_modules')?.fresh.toSorted()).toEqual([
    '.cache',
    '.vite',
  ]);
});

describe('a package that changed is not lent', () => {
  const chai = 'node_modules/chai/index.js';
  const at = (path: string) => join(workspace, path);
  test.each<[string, () => void]>([
    ['an edit', () => put(chai, 'module.exports = 2;')],
    [
      'an edit of the same size with the old times',
      () => {
        const { atime, mtime } = statSync(at(chai));
        put(chai, 'module.exports = 9;');
        utimesSync(at(chai), atime, mtime);
      },
    ],
    ['a new package', () => put('node_modules/assert/index.js', '')],
    ['a deep new file', () => put('node_modules/chai/node_modules/deep/package.json', '{}')],
    ['a deleted file', () => rmSync(at(chai))],
    ['a deleted folder', () => rmSync(at('packages/a/node_modules'), { recursive: true })],
    [
      'another file under its name',
      () => {
        put('node_modules/chai/other.js', 'module.exports = 1;');
        renameSync(at('node_modules/chai/other.js'), at(chai));
      },
    ],
    [
      'a link in its place',
      () => {
        renameSync(at('node_modules/chai'), at('stub'));
        symlinkSync('../stub', at('node_modules/chai'));
      },
    ],
    ['a mode', () => chmodSync(at('node_modules/.bin/mocha'), 0o755)],
    ['another program', () => put('node_modules/.bin/mocha', '#!/bin/true')],
    ['bytecode without a source', () => put('.venv/lib/python3/site-packages/pytest.pyc', 'x')],
    ['a module of an environment', () => put('.venv/lib/python3/site-packages/pytest.py', '')],
    [
      'the folder as a whole, moved away and made anew',
      () => {
        renameSync(at('node_modules'), at('old'));
        put(chai, 'module.exports = 1;');
      },
    ],
  ])('%s', async (_, change) => {
    const before = await readDependencies(workspace, tree);
    change();
    const { unchanged } = await compareDependencies(workspace, before, tree);
    expect(unchanged).toHaveLength(FOLDERS.length - 1);
  });
});

test('a folder that was installed since is told from one that was there, by its content', async () => {
  const before = await readDependencies(workspace, tree);
  put('packages/b/index.js', '');
  put('packages/b/node_modules/c/index.js', '4');
  const later = { entries: new Map([...tree.entries, ['packages/b/index.js', entry] as const]) };
  const first = await compareDependencies(workspace, before, later);
  expect(first.changed.map(({ lent }) => lent.at)).toEqual(['packages/b/node_modules']);
  put('packages/b/node_modules/c/index.js', '5');
  const second = await compareDependencies(workspace, before, later);
  expect(second.changed[0]?.digest).not.toBe(first.changed[0]?.digest);
});

test('CON-147 where a path is too long to be looked at, the folder is never the same', async () => {
  deepen(join(workspace, 'node_modules'), 'd'.repeat(200), 25);
  const before = await readDependencies(workspace, tree);
  // It stands still all the same, so a proof finds nothing moved.
  expect(await readDependencies(workspace, tree)).toEqual(before);
  const { unchanged, changed } = await compareDependencies(workspace, before, tree);
  expect(changed.map(({ lent }) => lent.at)).toEqual(['node_modules']);
  expect(unchanged.map(({ lent }) => lent.at)).toEqual(['.venv', 'packages/a/node_modules']);
});

/** Further down than any path leads. */
function deepen(folder: string, name: string, times: number): void {
  const script = `for i in $(seq ${times}); do mkdir ${name} && cd ${name} || exit 1; done`;
  execFileSync('bash', ['-c', script], { cwd: folder });
}
