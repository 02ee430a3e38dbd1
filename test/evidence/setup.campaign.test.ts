import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SANDBOX } from '../sandbox/support.ts';
import { describeWith } from '../support/needs.ts';
import { RIGHT, setupProject } from './setup-project.ts';

const WITH_PLUS = "exports.sum = require('plus');\n";

const the = setupProject();
const { put, putPackages, openGoal, installs } = the;

describe('packages that a goal adds from a registry', () => {
  const add = () => {
    putPackages(['expected', 'plus']);
    put('node_modules/expected/package.json', '{"version":"1.0.0"}');
    put('node_modules/expected/index.js', 'module.exports = 3;\n');
    put('node_modules/plus/index.js', 'module.exports = (a, b) => a + b;\n');
    put('src/sum.js', WITH_PLUS);
  };
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
    execFileSync('python3', ['-m', 'venv', '--without-pip', '.venv'], { cwd: the.workspace });
    const [library = ''] = readdirSync(join(the.workspace, '.venv/lib'));
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
    execFileSync('python3', ['-m', 'venv', '--without-pip', '.venv'], { cwd: the.workspace });
    expect((await goal.gate()).weakened).toEqual(['expected.py']);
  });
  test('SET-13 what a build of the original keeps in its home, later runs begin with, and none of theirs', async () => {
    rmSync(join(the.workspace, 'package-lock.json'));
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
    const kept = join(`${the.workspace}-home`, 'proofs/g-1/caches/.cache/go-build');
    const texts = readdirSync(kept).map((name) => readFileSync(join(kept, name), 'utf8'));
    expect(new Set(texts)).toEqual(new Set(['old\n']));
  });
});

function startWithWheel(): void {
  rmSync(join(the.workspace, 'package-lock.json'));
  put('.gitignore', '.venv/\n');
  put('requirements.txt', '--no-index\n--find-links wheels\nexpected==1.0\n');
  execFileSync('python3', ['-c', WHEEL], { cwd: the.workspace });
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
