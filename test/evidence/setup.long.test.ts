import { describe, expect, test } from 'vitest';
import { SANDBOX } from '../sandbox/support.ts';
import { describeWith } from '../support/needs.ts';
import { RIGHT, setupProject } from './setup-project.ts';

const WITH_PLUS = "exports.sum = require('plus');\n";

const the = setupProject();
const { put, putPackages, openGoal, installs } = the;

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
    await the.registry.close();
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
    // What asks for them, and not the folder into which the goal installed them.
    expect(weakened).toEqual(['package-lock.json', 'package.json']);
    const shown = goal.kept.find(({ name }) => name === 'package.json');
    expect(shown?.diff).toMatch(/^\+.*"plus"/m);
  });
  test('PRF-24 ask nobody where the work does without them', async () => {
    const goal = await openGoal();
    await goal.lookFirst();
    add();
    put('src/sum.js', RIGHT);
    const evidence = await goal.gate();
    expect(evidence.weakened).toEqual([]);
    expect(evidence.criteria).toMatchObject([{ state: 'met', isHostChecked: true }]);
    expect(goal.proven[0]).toMatchObject({
      setups: [{ added: [] }],
      beyondScope: expect.anything(),
    });
  });
});
