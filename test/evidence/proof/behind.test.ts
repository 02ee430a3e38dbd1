import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CommandCriterion } from '../../../schema/criteria.ts';
import { behindOthers } from '../../../src/evidence/proof/behind.ts';
import { startRepository } from '../../support/git.ts';
import { openGround } from '../gate-ground.ts';

let workspace: string;

const builds: CommandCriterion = { kind: 'command', command: 'sh build.sh' };
const tests: CommandCriterion = { kind: 'command', command: 'grep -q right dist/answer' };

beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'goalkeeper-behind-'));
  put('src/answer.js', 'wrong\n');
  put('build.sh', 'mkdir -p dist && cp src/answer.js dist/answer\n');
  put('.gitignore', 'dist/\n');
  startRepository(workspace);
});

afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(workspace, path)), { recursive: true });
  writeFileSync(join(workspace, path), text);
}

async function judge(criteria: readonly CommandCriterion[], work: () => void) {
  const proofs = {
    baselines: async () => [],
    keepBaselines: async () => {},
    finishedGoals: async () => [],
    keepFinding: async () => {},
  };
  const ground = openGround(workspace, criteria, { proofs } as never, {
    scope: { change: ['src/**'] },
  });
  const baseline = await ground.lookFirst();
  work();
  return { baseline, evidence: await ground.gate() };
}

test('tests that rest on what an earlier criterion builds are proven behind it', async () => {
  const { baseline, evidence } = await judge([builds, tests], () => {
    put('src/answer.js', 'right\n');
    execFileSync('sh', ['build.sh'], { cwd: workspace });
  });
  expect(baseline?.states).toEqual({ c1: 'met', c2: 'unmet' });
  expect(evidence.criteria).toMatchObject([{ state: 'met' }, { state: 'met', baseline: 'unmet' }]);
});

test('what an earlier criterion makes hold on the original proves nothing', async () => {
  put('src/answer.js', 'right\n');
  const { baseline } = await judge([builds, tests], () => {});
  expect(baseline?.states).toEqual({ c1: 'met', c2: 'met' });
});

test('a folder that was built by hand, and no source of it, stays refused', async () => {
  const { evidence } = await judge([builds, tests], () => put('dist/answer', 'right\n'));
  expect(evidence.criteria[1]?.state).toBe('unmet');
});

test('criteria that stand behind it build nothing for it', async () => {
  const { evidence } = await judge([tests, builds], () => {
    put('src/answer.js', 'right\n');
    execFileSync('sh', ['build.sh'], { cwd: workspace });
  });
  expect(evidence.criteria[0]?.state).toBe('unmet');
});

test('each earlier command runs in its folder, with its setup, and has to end with 0', () => {
  const before = [
    { ...builds, cwd: "it's", setup: 'prepare' },
    { ...builds, check: 'receipt' as const },
    { ...builds, expectExit: 1 },
    { kind: 'review' as const, model: 'a/b', rubric: 'x' },
  ];
  expect(behindOthers({ ...tests, setup: 'own # note' }, before)).toEqual({
    behind: {
      ...tests,
      setup: "(prepare\n) && (cd 'it'\\''s' && sh build.sh\n) && (own # note\n)",
    },
  });
  expect(behindOthers(tests, before.slice(1))).toEqual({});
});

test('a build that fails on other values shows nothing of the check behind it', async () => {
  put('build.sh', 'grep -q 3 expected.txt && mkdir -p dist && cp src/answer.js dist/answer.js\n');
  put('expected.txt', '3\n');
  put(
    'check.js',
    `const expected = Number(require('node:fs').readFileSync('expected.txt', 'utf8'));
if (require('./dist/answer.js')(1, 2) !== expected) process.exit(1);
`,
  );
  put('src/answer.js', 'module.exports = (a, b) => a - b;\n');
  const check: CommandCriterion = { kind: 'command', command: 'node check.js' };
  const { evidence } = await judge([builds, check], () => {
    put('src/answer.js', 'process.exit = () => {};\nmodule.exports = (a, b) => a - b;\n');
    execFileSync('sh', ['build.sh'], { cwd: workspace });
  });
  expect(evidence.criteria[1]).toMatchObject({ state: 'met', isHostChecked: false });
});
