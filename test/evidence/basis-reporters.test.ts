import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeWith, PYTEST } from '../support/needs.ts';
import { linkModules, project, reported, reportFolders, write } from './runner-projects.ts';

const nodeTests = `import test, { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { sum } from '../src/sum.js';
test('adds', () => assert.equal(sum(1, 2), 3));
test('later', { skip: true }, () => {});
test('some day', { todo: true }, () => {});
describe('edge cases', () => {
  it('zero', () => assert.equal(sum(0, 0), 0));
});
test('with parts', async (t) => {
  await t.test('part', () => assert.equal(sum(2, 2), 4));
});
`;

const nodeProject = {
  'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
  'src/sum.js': 'export const sum = (a, b) => a + b;\n',
  'test/sum.test.js': nodeTests,
};

describe('node:test reports names and its run stays what it was', () => {
  test('through npm, with suites, parts, skipped tests and tests to do', async () => {
    const folder = await project(nodeProject);
    const { run, report, text } = await reported(folder, { command: 'npm test' });
    expect(run.exitCode).toBe(0);
    expect(report).toMatchObject({
      runner: 'node:test',
      passed: [
        'test/sum.test.js > adds',
        'test/sum.test.js > edge cases > zero',
        'test/sum.test.js > with parts > part',
        'test/sum.test.js > with parts',
      ],
      failed: [],
      skipped: ['test/sum.test.js > later', 'test/sum.test.js > some day'],
      broken: [],
    });
    expect(text).toMatch(/^# pass 4$|^ℹ pass 4$/m);
    expect(await reportFolders()).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(['package.json', 'src', 'test']);
  });

  test('without --test, in one process', async () => {
    const folder = await project(nodeProject);
    const { report } = await reported(folder, { command: 'node test/sum.test.js' });
    expect(report?.passed).toContain('test/sum.test.js > adds');
  });

  test('in scripts that call scripts, run it twice and choose a reporter', async () => {
    const folder = await project({
      ...nodeProject,
      'package.json': JSON.stringify({
        type: 'module',
        scripts: {
          test: 'npm run unit && npm run more',
          unit: 'node --test --test-reporter=dot test/sum.test.js',
          more: 'node --test test/more.test.js',
        },
      }),
      'test/more.test.js': "import test from 'node:test'; test('more', () => {});\n",
    });
    const { run, report } = await reported(folder, { command: 'npm test' });
    // Each script chooses for itself; where that doesn't go together, the run stays as it is.
    expect(run.exitCode).toBe(0);
    expect(report).not.toBeNull();
  });

  test.each([
    ['a reporter', 'node --test --test-reporter=dot'],
    [
      'reporters and destinations',
      'node --test --test-reporter=tap --test-reporter-destination=stdout',
    ],
  ])('beside %s of its own', async (_, command) => {
    const folder = await project(nodeProject);
    const { run, report } = await reported(folder, { command });
    expect(run.exitCode).toBe(0);
    expect(report?.passed).toHaveLength(4);
  });

  test('a test file that cannot be loaded is broken, not a failed test', async () => {
    const folder = await project({ ...nodeProject, 'src/sum.js': 'export const add = 1;\n' });
    const { run, report } = await reported(folder, { command: 'npm test' });
    expect(run.exitCode).toBe(1);
    expect(report).toMatchObject({ ran: 0, total: 0, broken: ['test/sum.test.js'] });
  });

  test('process.exit(0) at the top of the source leaves no test that ran', async () => {
    const folder = await project({
      ...nodeProject,
      'src/sum.js': 'process.exit(0);\nexport const sum = () => 3;\n',
    });
    for (const command of ['npm test', 'node test/sum.test.js']) {
      const { run, report } = await reported(folder, { command });
      expect(run.exitCode).toBe(0);
      expect(report?.ran ?? 0).toBe(0);
    }
  });

  test('a plain script with assertions is a test of its own', async () => {
    const folder = await project({
      'package.json': '{"type": "module"}',
      'test/plain.test.js': "import assert from 'node:assert'; assert.equal(1, 1);\n",
    });
    const { report } = await reported(folder, { command: 'node --test' });
    expect(report).toMatchObject({ passed: ['test/plain.test.js'], total: 1 });
  });
});

const vitestProject = {
  'package.json': JSON.stringify({ type: 'module', scripts: { test: 'vitest run' } }),
  'src/sum.js': 'export const sum = (a, b) => a + b;\n',
  'test/sum.test.js': `import { describe, expect, test } from 'vitest';
import { sum } from '../src/sum.js';
describe('sum', () => {
  test('adds', () => expect(sum(1, 2)).toBe(3));
  test.skip('later', () => {});
});
`,
};

describe('Vitest reports names', () => {
  test('through npm and a make target, with its own output kept', async () => {
    const folder = await project({ ...vitestProject, Makefile: 'check:\n\t@npm test\n' });
    await linkModules(folder);
    const { run, report, text } = await reported(folder, { command: 'make check' });
    expect(run.exitCode, text).toBe(0);
    expect(report).toMatchObject({
      runner: 'vitest',
      passed: ['test/sum.test.js > sum > adds'],
      skipped: ['test/sum.test.js > sum > later'],
    });
    expect(text).toMatch(/Tests\s+1 passed \| 1 skipped/);
    expect(text).not.toContain('"numTotalTests"');
  });

  test('a file that cannot be loaded is broken, and one that exits passes nothing', async () => {
    const folder = await project({ ...vitestProject, 'src/sum.js': "import 'not-there';\n" });
    await linkModules(folder);
    const { run, report } = await reported(folder, { command: 'npx vitest run' });
    expect(run.exitCode).toBe(1);
    expect(report).toMatchObject({ ran: 0, broken: ['test/sum.test.js'] });
    await write(folder, { 'src/sum.js': 'process.exit(0);\nexport const sum = () => 3;\n' });
    const exiting = await reported(folder, { command: 'npm test' });
    expect(exiting.report?.passed ?? []).toEqual([]);
  });

  test('--passWithNoTests passes with a report of no test', async () => {
    const folder = await project({ 'package.json': vitestProject['package.json'] });
    await linkModules(folder);
    const command = 'npm test -- --passWithNoTests';
    const { run, report } = await reported(folder, { command });
    expect(run.exitCode).toBe(0);
    expect(report).toMatchObject({ runner: 'vitest', total: 0 });
  });
});

const jestLike = `#!/usr/bin/env node
const fs = require('node:fs');
const option = process.argv.find((word) => word.startsWith('--outputFile='));
console.error('Tests:       1 passed, 1 total');
if (option) fs.writeFileSync(option.slice(13), JSON.stringify({ testResults: [
  { name: process.cwd() + '/sum.test.js', status: 'passed',
    assertionResults: [{ ancestorTitles: ['sum'], title: 'adds', status: 'passed' }] },
  { name: process.cwd() + '/bad.test.js', status: 'failed', assertionResults: [] },
] }));
`;

describe('Jest is asked for its report where it is Jest', () => {
  const files = {
    'package.json': JSON.stringify({
      scripts: { test: 'node --experimental-vm-modules node_modules/jest/bin/jest.js' },
    }),
    'node_modules/jest/bin/jest.js': jestLike,
  };

  test('by its path, also behind options of node', async () => {
    const { report } = await reported(await project(files), { command: 'npm test' });
    expect(report).toMatchObject({
      runner: 'jest',
      passed: ['sum.test.js > sum > adds'],
      broken: ['bad.test.js'],
    });
  });

  test('where a script sets NODE_OPTIONS itself, what it prints is counted', async () => {
    const folder = await project({
      ...files,
      'package.json': JSON.stringify({
        scripts: { test: 'NODE_OPTIONS=--no-warnings node node_modules/jest/bin/jest.js' },
      }),
    });
    const { report } = await reported(folder, { command: 'npm test' });
    expect(report).toMatchObject({ runner: 'jest', hasNames: false, ran: 1, total: 1 });
  });
});

const pytestProject = {
  'sum.py': 'def add(a, b):\n    return a + b\n',
  'test_sum.py': `import pytest
from sum import add

def test_adds():
    assert add(1, 2) == 3

@pytest.mark.parametrize("a", ["<x>", "é"])
def test_texts(a):
    assert add(a, "") == a

@pytest.mark.skip(reason="later")
def test_later():
    pass

class TestMore:
    def test_negative(self):
        assert add(-1, 1) == 1
`,
};

describeWith(PYTEST, 'pytest reports names', () => {
  test('with files, classes and parameters', async () => {
    const folder = await project(pytestProject);
    const { run, report } = await reported(folder, { command: 'python3 -m pytest -q' });
    expect(run.exitCode).toBe(1);
    expect(report).toMatchObject({
      runner: 'pytest',
      passed: expect.arrayContaining(['test_sum.py > test_adds', 'test_sum.py > test_texts[<x>]']),
      failed: ['test_sum.py > TestMore > test_negative'],
      skipped: ['test_sum.py > test_later'],
    });
  });

  test('a file that cannot be imported is broken; a source that exits leaves no report', async () => {
    const folder = await project({ ...pytestProject, 'sum.py': 'import not_there\n' });
    const broken = await reported(folder, { command: 'pytest' });
    expect(broken.report).toMatchObject({ ran: 0, broken: ['test_sum.py'] });
    await write(folder, { 'sum.py': 'import os\nos._exit(0)\n' });
    const exiting = await reported(folder, { command: 'pytest' });
    expect(exiting.run.exitCode).toBe(0);
    expect(exiting.report).toBeNull();
  });
});

describe('other runners', () => {
  test('commands that run no tests are left alone', async () => {
    const folder = await project({ 'answer.txt': '42\n' });
    const { report, text } = await reported(folder, {
      command: 'grep -q 42 answer.txt && echo "options: $NODE_OPTIONS$GOFLAGS$PYTEST_ADDOPTS"',
    });
    expect(report).toBeNull();
    expect(text).toBe('options: \n');
  });

  test('unittest is counted by what it prints', async () => {
    const folder = await project({
      'test_a.py': `import unittest
class A(unittest.TestCase):
    def test_a(self): pass
    @unittest.skip("later")
    def test_b(self): pass
`,
    });
    const { report } = await reported(folder, { command: 'python3 -m unittest' });
    expect(report).toMatchObject({ runner: 'unittest', ran: 1, total: 2, hasNames: false });
  });
});

describe('a report counts only if the process of the runner itself wrote it', () => {
  const forges = (
    text: string,
  ) => `import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createHmac } from 'node:crypto';
import { dirname } from 'node:path';
const folder = dirname(/--require=([^ ]+)/.exec(process.env.NODE_OPTIONS)[1]);
const key = process.env.GOALKEEPER_REPORT_KEY ?? '';
const line = JSON.stringify({ file: 'test/sum.test.js', path: ['forged'], result: 'passed', kind: 'test' }) + '\\n';
${text}
export const sum = (a, b) => a + b;
`;

  test('a file of a test process beside it is none', async () => {
    const own = forges(`writeFileSync(folder + '/1-1.node-test', line);
writeFileSync(folder + '/1-1.node-test.seal', createHmac('sha256', key).update(line).digest('hex'));`);
    const folder = await project({ ...nodeProject, 'src/sum.js': own });
    const { run, report } = await reported(folder, { command: 'npm test' });
    expect(run.exitCode).toBe(0);
    expect(report?.passed).toHaveLength(4);
    expect(report?.passed.join()).not.toContain('forged');
  });

  test('a report that a test process added to says nothing at all', async () => {
    const own = forges(`for (const name of readdirSync(folder))
  if (name.endsWith('.node-test')) appendFileSync(folder + '/' + name, line);`);
    const folder = await project({ ...nodeProject, 'src/sum.js': own });
    const { run, report } = await reported(folder, { command: 'npm test' });
    expect(run.exitCode).toBe(0);
    expect(report).toMatchObject({ runner: 'node:test', total: 0 });
  });

  test('nor does a report of Vitest that a test process left for it', async () => {
    const own = forges(`writeFileSync(folder + '/1-1.vitest.begun', '/');
writeFileSync(folder + '/1-1.vitest', JSON.stringify({
  testResults: [{ name: 'a', assertionResults: [{ title: 'forged', status: 'passed' }] }] }));`);
    const folder = await project({ ...vitestProject, 'src/sum.js': own });
    await linkModules(folder);
    const { report, text } = await reported(folder, { command: 'npm test' });
    expect(report, text).toMatchObject({ passed: ['test/sum.test.js > sum > adds'] });
  });
});
