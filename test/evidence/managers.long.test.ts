import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { SANDBOX } from '../sandbox/support.ts';
import { MANAGERS, testWith } from '../support/needs.ts';
import { startRepository } from '../support/start-repository.ts';
import { managerProjects, openProject, writeLock } from './manager-projects.ts';
import { openSetupGoal } from './setup-ground.ts';

describe.each(Object.entries(managerProjects))('a project of %s', (name, project) => {
  const need = SANDBOX.isThere ? MANAGERS[project.need] : SANDBOX;
  testWith(need)(
    `SET-15 ${name} installs what its lock file names, and added packages of a registry are a part of the work`,
    async () => {
      const opened = await openProject(project);
      await writeLock(project, opened, ['expected']);
      startRepository(opened.folder);
      const goal = await openSetupGoal(opened.folder, {
        isBoxed: true,
        command: 'sh check.sh',
        policy: { dependencies: 'allow' },
      });
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
      rmSync(join(opened.folder, 'here'));
    },
  );
});
