import { lstat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { removeTree } from '../../src/sandbox/remove-tree.ts';
import { takeFingerprint } from '../../src/workspace/fingerprint.ts';
import { testWith } from '../support/needs.ts';
import { SANDBOX, testBox } from './support.ts';

/** 3,000 folders inside each other, whose path no program can be told. */
const DEEP = `python3 -c '
import os
for at in range(3000):
    os.mkdir("dd"); os.chdir("dd")
os.mkdir(".git")
'`;

testWith(SANDBOX)(
  'BOX-1 folders nested deeper than paths are long harm nobody, and go with their tree',
  async () => {
    const box = await testBox();
    expect(await box.run(DEEP)).toMatchObject({ exitCode: 0, ended: 'exited' });
    const home = await box.run(`cd ~ && ${DEEP}; cd /tmp && ${DEEP}`);
    expect(home).toMatchObject({ exitCode: 0 });
    const planted = await box.run("git init -q own && git -C own config core.fsmonitor '!x'");
    expect(planted.disarmed?.join()).toContain('core.fsmonitor');
    await writeFile(join(box.workspace, 'note'), 'a');
    await takeFingerprint(box.workspace, []);
    await removeTree(box.workspace);
    await removeTree(join(box.home, 'sandbox'));
    for (const gone of [box.workspace, join(box.home, 'sandbox')]) {
      await expect(lstat(gone)).rejects.toThrow('ENOENT');
    }
  },
);
