import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Look } from '../../src/proof/setup/setup.ts';
import { lookAtAddition } from '../../src/proof-place/added-packages.ts';

type Files = Readonly<Record<string, string>>;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'goalkeeper-added-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
});

function put(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const names = {
  isProgram: (name: string) => name === 'node',
  isOwn: (name: string) => name === 'support',
};

/** What the installation with further or other files takes the place of. */
function look(kind: Look, before: Files, change: Files): Promise<string | null> {
  const installation = (name: string) => ({ at: join(root, name), home: join(root, name) });
  const [was, is] = [installation('was'), installation('is')];
  put(join(was.at, 'in'), before);
  put(join(is.at, 'in'), { ...before, ...change });
  const added = [{ name: 'plus', version: '1.0.0' }];
  return lookAtAddition(kind, { was, is, installs: 'in', added, names });
}

const MODULES = {
  'chai/package.json': JSON.stringify({ name: 'chai', peerDependencies: { jsdom: '*' } }),
  'chai/index.js': 'old',
  '.bin/chai': '#!',
  '.yarn-state.yml': 'a',
};

describe('a look at node_modules', () => {
  test('SET-18 a package beside those that were there, and its program, take no place', async () => {
    const fine = { 'plus/index.js': '', '@math/minus/index.js': '', '.bin/plus': '#!' };
    expect(await look('modules', MODULES, { ...fine, '.yarn-state.yml': 'b' })).toBeNull();
  });
  test.each([
    ['a file of what was there', { 'chai/index.js': 'new' }, 'chai/index.js changed'],
    ['a file in what was there', { 'chai/more.js': '' }, 'takes a place in chai'],
    ['a package in what was there', { 'chai/node_modules/plus/x.js': '' }, 'takes a place in chai'],
    ['what a package looks for', { 'jsdom/x.js': '' }, 'jsdom is looked for'],
    ['a name of the project', { 'support/x.js': '' }, 'support takes a name of the project'],
    ['a program that was there', { '.bin/chai': 'new' }, '.bin/chai changed'],
    ['a program on PATH', { '.bin/node': '' }, 'takes the name of the program node'],
    ['a folder with a dot', { '.own/x.js': '' }, '.own is no package'],
  ])('SET-19 %s is no addition', async (_, change, why) => {
    expect(await look('modules', MODULES, change)).toContain(why);
  });
});

const SITE = 'lib/python3.11/site-packages';
const ENVIRONMENT = { [`${SITE}/expected.py`]: 'three = 3', 'bin/python': '' };

describe('a look at a Python environment', () => {
  test('SET-18 modules, metadata and a program of their own take no place', async () => {
    const info = `${SITE}/plus-1.0.0.dist-info`;
    const fine = {
      [`${SITE}/plus/__init__.py`]: '',
      [`${info}/METADATA`]: '',
      [`${info}/entry_points.txt`]: '[console_scripts]\nplus = plus:main\n',
      'bin/plus': '',
    };
    expect(await look('environment', ENVIRONMENT, fine)).toBeNull();
  });
  test.each([
    ['a module that was there', { [`${SITE}/expected.py`]: 'three = 4' }, 'expected.py changed'],
    ['what runs at each start', { [`${SITE}/plus.pth`]: 'import plus' }, 'runs as Python starts'],
    ['the same by a name', { [`${SITE}/sitecustomize.py`]: '' }, 'runs as Python starts'],
    [
      'a plugin of a test runner',
      { [`${SITE}/plus-1.dist-info/entry_points.txt`]: '[pytest11]\nplus = plus\n' },
      'loaded by others (pytest11)',
    ],
    ['a name of the project', { [`${SITE}/support/__init__.py`]: '' }, 'name of the project'],
    ['a program on PATH', { 'bin/node': '' }, 'the program node'],
    ['another folder', { 'share/x': '' }, 'takes a place in the environment'],
  ])('SET-19 %s is no addition', async (_, change, why) => {
    expect(await look('environment', ENVIRONMENT, change)).toContain(why);
  });
});

describe('a look at crates', () => {
  const crate = (files: Files): Promise<string | null> => {
    put(join(root, 'is/.cargo/registry/src/index/plus-1.0.0'), files);
    return look('crates', {}, {});
  };
  const manifest = (rest = '') => `[package]\nname = "plus"\n${rest}`;
  test('SET-18 a crate of plain code runs nothing', async () => {
    expect(await crate({ 'Cargo.toml': manifest('build = false\n') })).toBeNull();
  });
  test.each([
    ['a build script', { 'Cargo.toml': manifest('build = "make.rs"\n') }],
    ['one by its name', { 'Cargo.toml': manifest(), 'build.rs': '' }],
    ['a macro', { 'Cargo.toml': manifest('[lib]\nproc-macro = true\n') }],
  ])('SET-19 %s is no addition', async (_, files) => {
    expect(await crate(files)).toBe('plus runs code at a build');
  });
  test('SET-19 a crate that is not there is no addition', async () => {
    expect(await look('crates', {}, {})).toBe('plus is not there');
  });
});
