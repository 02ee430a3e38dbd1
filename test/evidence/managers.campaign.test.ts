import { describe, expect } from 'vitest';
import { SANDBOX } from '../sandbox/support.ts';
import { startRepository } from '../support/git.ts';
import { MANAGERS, testWith } from '../support/needs.ts';
import {
  type ManagerProject,
  managerProjects,
  openProject,
  writeLock,
} from './manager-projects.ts';
import { openSetupGoal } from './setup-ground.ts';

async function openGoal(project: ManagerProject) {
  const opened = await openProject(project);
  await writeLock(project, opened, ['expected']);
  startRepository(opened.folder);
  const goal = await openSetupGoal(opened.folder, {
    isBoxed: true,
    command: 'sh check.sh',
    policy: { dependencies: 'allow' },
  });
  return { opened, goal };
}

/** The manager, and a sandbox for it to run in. */
const needs = ({ need }: ManagerProject) => (SANDBOX.isThere ? MANAGERS[need] : SANDBOX);

describe.each(Object.entries(managerProjects))('a project of %s', (name, project) => {
  testWith(needs(project))(
    `SET-15 ${name} installs what its lock file names, and added packages of a registry are a part of the work`,
    async () => {
      const { opened, goal } = await openGoal(project);
      const baseline = await goal.lookFirst();
      expect(goal.setups()).toMatchObject([{ outcome: 'succeeded' }]);
      expect(baseline?.states).toEqual({ c1: 'unmet' });
      await writeLock(project, opened, ['expected', 'plus']);
      opened.put(project.source, project.right);
      opened.put('here', '');
      const evidence = await goal.gate();
      expect(evidence.weakened).toEqual([]);
      expect(evidence.criteria).toMatchObject([{ state: 'met', isHostChecked: true }]);
      const [{ setups = [] } = {}] = goal.proven;
      expect(setups.map(({ added }) => added)).toEqual([['plus@1.0.0']]);
    },
  );
});

const { cargo } = managerProjects;
testWith(needs(cargo))(
  'SET-21 an added package that runs code by being there is a question to a person',
  async () => {
    const { opened, goal } = await openGoal(cargo);
    await goal.lookFirst();
    await writeLock(cargo, opened, ['expected', 'scripted']);
    opened.put(cargo.source, cargo.right.replace('plus', 'scripted'));
    opened.put('here', '');
    expect((await goal.gate()).weakened.toSorted()).toEqual(['Cargo.lock', 'Cargo.toml']);
  },
);
