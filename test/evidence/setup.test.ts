import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CommandCriterion } from '../../schema/criteria.ts';
import type { GoalProof } from '../../schema/goal-proof.ts';
import type { PolicyInput } from '../../schema/policy.ts';
import type { GoalBrief } from '../../src/contract/goal-brief.ts';
import type { ProofFinding } from '../../src/contract/proofs.ts';
import { resolvePolicy } from '../../src/goal/defaults.ts';
import { SANDBOX, testBox } from '../sandbox/support.ts';
import { describeWith } from '../support/needs.ts';
import { type NpmRegistry, openNpmRegistry } from '../support/npm-registry.ts';
import { openGround } from './gate-ground.ts';

let workspace: string;
let registry: NpmRegistry;
const check: CommandCriterion = { kind: 'command', command: 'node --test test/*.test.js' };

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
  const git = (...args: string[]) => execFileSync('git', args, { cwd: workspace, stdio: 'pipe' });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-q', '-m', 'start');
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

interface Setting {
  /** With a sandbox, as in use. */
  readonly isBoxed?: boolean;
  readonly policy?: PolicyInput;
  readonly setup?: readonly string[];
}

async function openGoal({ policy, setup, isBoxed = false }: Setting = {}) {
  const kept: { readonly name: string }[] = [];
  const proven: GoalProof[] = [];
  const proofs = {
    baselines: async () => [],
    keepBaselines: async () => {},
    finishedGoals: async () => [],
    keepFinding: async (_: unknown, __: number, { changes, proof }: ProofFinding) => {
      kept.push(...changes);
      if (proof !== null) proven.push(proof);
    },
  };
  const own: Partial<GoalBrief> = {
    scope: { change: ['src/**'] },
    policy: resolvePolicy(policy),
    ...(setup && { setup }),
  };
  const ports = { proofs, ...(isBoxed && { startEffects: await boxedEffects() }) };
  const ground = openGround(workspace, [check], ports as never, own);
  const setups = () => ground.rows.filter(({ tool }) => tool === 'check.setup');
  return { ...ground, kept, proven, setups };
}

/** One helper for all attempts of a goal. */
async function boxedEffects() {
  const { effects } = await testBox({ workspace, home: `${workspace}-home` });
  const runCommand: typeof effects.runCommand = (command) => effects.runCommand(command);
  return () => ({ runCommand, close: async () => {} });
}

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
