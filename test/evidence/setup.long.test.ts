import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SANDBOX } from '../sandbox/support.ts';
import { startRepository } from '../support/git.ts';
import { describeWith } from '../support/needs.ts';
import { type NpmRegistry, openNpmRegistry } from '../support/npm-registry.ts';
import { openSetupGoal, type Setting } from './setup-ground.ts';

let workspace: string;
let registry: NpmRegistry;
const CHECK = 'node --test test/*.test.js';

const RIGHT = 'exports.sum = (a, b) => a + b;\n';
const WITH_PLUS = "exports.sum = require('plus');\n";

beforeEach(async () => {
  workspace = mkdtempSync(join(tmpdir(), 'goalkeeper-setup-'));
  registry = await openNpmRegistry({
    expected: { 'index.js': 'module.exports = 3;\n' },
    plus: { 'index.js': 'module.exports = (a, b) => a + b;\n' },
  });
  put('.gitignore', 'node_modules/\n');
  put('.npmrc', `registry=${registry.url}\n`);
  putPackages(['expected']);
  put('src/sum.js', 'exports.sum = (a, b) => a - b;\n');
  put(
    'test/sum.test.js',
    `const { test } = require('node:test');
const { sum } = require('../src/sum.js');
test('sums', () => require('node:assert').equal(sum(1, 2), require('expected')));
`,
  );
  startRepository(workspace);
});

afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(workspace, path)), { recursive: true });
  writeFileSync(join(workspace, path), text);
}

/** As npm writes them. */
function putPackages(names: readonly string[], own: object = {}): void {
  const dependencies = Object.fromEntries(names.map((name) => [name, '1.0.0']));
  const root = { name: 'shop', main: 'src/sum.js', dependencies };
  const installed = names.map((name) => [`node_modules/${name}`, registry.entry(name)]);
  const packages = { '': { name: 'shop', dependencies }, ...Object.fromEntries(installed) };
  const lock = { name: 'shop', lockfileVersion: 3, requires: true, packages };
  put('package.json', JSON.stringify({ ...root, ...own }));
  put('package-lock.json', JSON.stringify(lock));
}

const openGoal = (setting?: Setting) => openSetupGoal(workspace, { command: CHECK, ...setting });

const installs = () => registry.asked.filter((path) => path.endsWith('.tgz')).length;

describe('packages that are not installed where the goal works', () => {
  test('SET-1 come from the lock file, once for all runs and proofs of the same inputs', async () => {
    const goal = await openGoal();
    const baseline = await goal.lookFirst();
    expect(baseline?.states).toEqual({ c1: 'unmet' });
    put('node_modules/expected/index.js', 'module.exports = 3;\n');
    put('src/sum.js', RIGHT);
    const evidence = await goal.gate();
    expect(evidence.weakened).toEqual([]);
    expect(evidence.criteria).toMatchObject([{ state: 'met', isHostChecked: true }]);
    await goal.gate();
    expect(goal.setups()).toMatchObject([{ outcome: 'succeeded' }]);
    expect(installs()).toBe(1);
    expect(goal.proven[0]?.setups).toMatchObject([{ folder: '', added: [] }]);
  });
  test('SET-2 are not taken from the goal that installed them meanwhile', async () => {
    const goal = await openGoal();
    await goal.lookFirst();
    put('node_modules/expected/index.js', 'module.exports = -1;\n');
    const evidence = await goal.gate();
    expect(evidence.criteria).toMatchObject([{ state: 'met' }]);
    expect(evidence.weakened).toEqual(['node_modules/']);
    put('src/sum.js', RIGHT);
    put('node_modules/expected/index.js', 'module.exports = 3;\n');
    expect((await goal.gate()).weakened).toEqual([]);
  });
  test('SET-3 that can not be installed leave the criterion not run, with the setup named', async () => {
    await registry.close();
    const goal = await openGoal();
    const baseline = await goal.lookFirst();
    expect(baseline?.states).toEqual({ c1: 'not_run' });
    expect(baseline?.reasons.c1).toMatch(/^its setup, `npm ci .*`, exited 1/);
  });
});

describeWith(SANDBOX, 'a setup in a sandbox', () => {
  test('SET-8 has the network, which no check of the goal has, and counts as no command of the goal', async () => {
    const goal = await openGoal({ isBoxed: true });
    expect((await goal.lookFirst())?.states).toEqual({ c1: 'unmet' });
    put('node_modules/expected/index.js', 'module.exports = 3;\n');
    put('src/sum.js', RIGHT);
    const evidence = await goal.gate();
    expect(evidence.criteria).toMatchObject([{ state: 'met', isHostChecked: true }]);
    expect(evidence.weakened).toEqual([]);
    expect(goal.setups()).toMatchObject([{ outcome: 'succeeded' }]);
    expect(goal.setups()[0]?.receipt?.isolation).toBeUndefined();
  });
});

describe('packages that a goal adds from a registry', () => {
  const add = () => {
    putPackages(['expected', 'plus']);
    put('node_modules/expected/package.json', '{"version":"1.0.0"}');
    put('node_modules/expected/index.js', 'module.exports = 3;\n');
    put('node_modules/plus/index.js', 'module.exports = (a, b) => a + b;\n');
    put('src/sum.js', WITH_PLUS);
  };
  test('SET-4 are a part of the work where the policy allows it', async () => {
    const goal = await openGoal({ policy: { dependencies: 'allow' } });
    await goal.lookFirst();
    add();
    const evidence = await goal.gate();
    expect(evidence.weakened).toEqual([]);
    expect(evidence.criteria).toMatchObject([{ state: 'met', isHostChecked: true }]);
    expect(goal.proven[0]).toMatchObject({ setups: [{ added: ['plus@1.0.0'] }], accepted: [] });
  });
  test('SET-5 are a question to a person otherwise', async () => {
    const goal = await openGoal();
    await goal.lookFirst();
    add();
    const { weakened } = await goal.gate();
    expect(weakened).toContain('node_modules/');
    const shown = goal.kept.find(({ name }) => name === 'node_modules/');
    expect(shown?.diff).toBe('expected 1.0.0: new, 2 files\nplus: new, 1 file');
  });
  test('SET-11 are named with their versions and files where what was there changed', async () => {
    const manifest = (version: string) => JSON.stringify({ name: 'expected', version });
    put('node_modules/expected/package.json', manifest('1.0.0'));
    put('node_modules/expected/index.js', 'module.exports = 3;\n');
    put('node_modules/@own/kept/index.js', '');
    const goal = await openGoal();
    await goal.lookFirst();
    put('node_modules/expected/package.json', manifest('1.0.1'));
    put('node_modules/expected/index.js', 'module.exports = -1;\n');
    put('node_modules/expected/more.js', '');
    await goal.gate();
    expect(goal.kept).toMatchObject([
      {
        name: 'node_modules/',
        diff: 'expected 1.0.0 → 1.0.1: written since, 3 files instead of 2',
      },
    ]);
  });
  test('SET-6 are a question as well where more than that changed', async () => {
    const goal = await openGoal({ policy: { dependencies: 'allow' } });
    await goal.lookFirst();
    add();
    putPackages(['expected', 'plus'], { scripts: { test: 'true' } });
    const { weakened } = await goal.gate();
    expect(weakened).toContain('node_modules/');
  });
});

test('SET-7 commands that the caller declares install instead of what lock files say', async () => {
  const setup = [
    'mkdir -p node_modules/expected',
    'echo "module.exports = 3" > node_modules/expected/index.js',
  ];
  const goal = await openGoal({ setup });
  expect((await goal.lookFirst())?.states).toEqual({ c1: 'unmet' });
  put('node_modules/expected/index.js', 'module.exports = 3;\n');
  put('src/sum.js', RIGHT);
  const evidence = await goal.gate();
  expect(evidence.weakened).toEqual([]);
  expect(evidence.criteria).toMatchObject([{ state: 'met' }]);
  expect(installs()).toBe(0);
});

describeWith(SANDBOX, 'setups and caches in a sandbox', () => {
  test('SET-12 a Python environment is made of wheels where a check runs its programs', async () => {
    startWithWheel();
    const goal = await openGoal({ isBoxed: true, command: '.venv/bin/python test_sum.py' });
    expect((await goal.lookFirst())?.states).toEqual({ c1: 'unmet' });
    put('src/sum.py', 'def sum2(a, b):\n    return a + b\n');
    execFileSync('python3', ['-m', 'venv', '--without-pip', '.venv'], { cwd: workspace });
    const [library = ''] = readdirSync(join(workspace, '.venv/lib'));
    put(`.venv/lib/${library}/site-packages/expected.py`, 'three = 3\n');
    const evidence = await goal.gate();
    expect(evidence.criteria).toMatchObject([{ state: 'met', isHostChecked: true }]);
    expect(evidence.weakened).toEqual([]);
    expect(goal.setups()).toMatchObject([{ outcome: 'succeeded' }]);
  });
  test('SET-14 a new file that takes the name of a package that a setup installs is no work', async () => {
    startWithWheel();
    const goal = await openGoal({
      ...{ isBoxed: true, command: '.venv/bin/python test_sum.py' },
      change: ['*'],
    });
    await goal.lookFirst();
    put('expected.py', 'three = -1\n');
    execFileSync('python3', ['-m', 'venv', '--without-pip', '.venv'], { cwd: workspace });
    expect((await goal.gate()).weakened).toEqual(['expected.py']);
  });
  test('SET-13 what a build of the original keeps in its home, later runs begin with, and none of theirs', async () => {
    rmSync(join(workspace, 'package-lock.json'));
    put(
      'check.sh',
      'cat ~/.cache/go-build/* 2>/dev/null; mkdir -p ~/.cache/go-build; cat src/text > ~/.cache/go-build/$$; grep -q new src/text\n',
    );
    put('src/text', 'old\n');
    const goal = await openGoal({ isBoxed: true, command: 'sh check.sh' });
    expect((await goal.lookFirst())?.states).toEqual({ c1: 'unmet' });
    put('src/text', 'new\n');
    expect((await goal.gate()).criteria).toMatchObject([{ state: 'met' }]);
    await goal.gate();
    const printed = goal.rows.filter(({ tool }) => tool === 'check.proof');
    expect(printed.length).toBeGreaterThan(1);
    const kept = join(`${workspace}-home`, 'proofs/g-1/caches/.cache/go-build');
    const texts = readdirSync(kept).map((name) => readFileSync(join(kept, name), 'utf8'));
    expect(new Set(texts)).toEqual(new Set(['old\n']));
  });
});

function startWithWheel(): void {
  rmSync(join(workspace, 'package-lock.json'));
  put('.gitignore', '.venv/\n');
  put('requirements.txt', '--no-index\n--find-links wheels\nexpected==1.0\n');
  execFileSync('python3', ['-c', WHEEL], { cwd: workspace });
  put('src/sum.py', 'def sum2(a, b):\n    return a - b\n');
  put(
    'test_sum.py',
    'import sys\nsys.path.insert(0, "src")\nfrom sum import sum2\nfrom expected import three\nassert sum2(1, 2) == three\n',
  );
}

const WHEEL = `
import zipfile, os
os.makedirs('wheels')
with zipfile.ZipFile('wheels/expected-1.0-py3-none-any.whl', 'w') as wheel:
    wheel.writestr('expected.py', 'three = 3\\n')
    wheel.writestr('expected-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: expected\\nVersion: 1.0\\n')
    wheel.writestr('expected-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nGenerator: t\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr('expected-1.0.dist-info/RECORD', '')
`;
