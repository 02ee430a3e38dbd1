import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Lent } from '../../src/contract/effects.ts';
import { describeWith } from '../support/needs.ts';
import { SANDBOX, testBox } from './support.ts';

function put(root: string, path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text, { mode });
}

/** A workspace, and another tree that is to stand in its place. */
async function openPlace() {
  const box = await testBox();
  const { workspace, home } = box;
  put(workspace, 'src/sum.js', 'of the workspace');
  put(workspace, 'dist/sum.js', 'built');
  put(workspace, 'node_modules/lib/index.js', 'module.exports = "lib";');
  put(workspace, 'node_modules/.bin/tool', `#!${workspace}/node_modules/.bin/own\n`, 0o755);
  put(workspace, 'node_modules/.bin/own', '#!/bin/sh\necho own program\n', 0o755);
  put(workspace, 'node_modules/.cache/poison.json', '{}');
  const root = join(home, 'proofs', 'g-1', 'place');
  put(root, 'src/sum.js', 'of the place');
  const lent: Lent[] = [
    { at: 'node_modules', from: join(workspace, 'node_modules'), fresh: ['.cache'] },
  ];
  const reach = { root, isInPlace: true, isClean: true, lent, home: join(home, 'proof-home') };
  const run = (command: string) => box.run(command, { cwd: root, reach });
  return { box, workspace, root, run };
}

describeWith(SANDBOX, 'the tree of a proof run', () => {
  test("stands at the workspace's path, and the workspace itself nowhere", async () => {
    const { workspace, run } = await openPlace();
    const { output } = await run(`pwd; cat src/sum.js ${workspace}/src/sum.js; ls ${workspace}`);
    expect(output).toBe(`${workspace}\nof the placeof the placenode_modules\nsrc\n`);
    const searched = await run('grep -rl "of the workspace" / --include=sum.js 2>/dev/null');
    expect(searched.output).toBe('');
  });

  test('finds what was installed, also by absolute paths, and can change none of it', async () => {
    const { workspace, run } = await openPlace();
    expect((await run('node -p "require(\'lib\')"')).output).toBe('lib\n');
    expect((await run('node_modules/.bin/tool')).output).toBe('own program\n');
    const write = await run('echo x > node_modules/lib/index.js; rm -rf node_modules/lib');
    expect(write.output).toContain('Read-only file system');
    expect(readFileSync(join(workspace, 'node_modules/lib/index.js'), 'utf8')).toContain('lib');
  });

  test('has caches of its own, which are empty and writable', async () => {
    const { workspace, run } = await openPlace();
    const { output } = await run(
      'ls -A node_modules/.cache; echo 1 > node_modules/.cache/own && echo ok',
    );
    expect(output).toBe('ok\n');
    expect(existsSync(join(workspace, 'node_modules/.cache/own'))).toBe(false);
  });

  test('takes caches that were not there, and forgets them before the next run', async () => {
    const { workspace, run } = await openPlace();
    const { output } = await run('mkdir node_modules/.vite-temp && ls -A node_modules');
    expect(output.trim().split('\n')).toEqual(['.bin', '.cache', '.vite-temp', 'lib']);
    expect((await run('ls -A node_modules')).output).not.toContain('.vite-temp');
    expect(existsSync(join(workspace, 'node_modules/.vite-temp'))).toBe(false);
  });

  test('takes what the run writes; the workspace does not get any of it', async () => {
    const { workspace, root, run } = await openPlace();
    await run(`echo built > ${workspace}/out.txt; echo changed > src/sum.js`);
    expect(readFileSync(join(root, 'out.txt'), 'utf8')).toBe('built\n');
    expect(existsSync(join(workspace, 'out.txt'))).toBe(false);
    expect(readFileSync(join(workspace, 'src/sum.js'), 'utf8')).toBe('of the workspace');
  });

  test('is out of reach of every other command of the goal', async () => {
    const { box, root } = await openPlace();
    const { output } = await box.run(`ls ${root} ${dirname(root)} 2>&1; cat ${root}/src/sum.js`);
    expect(output).not.toContain('of the place');
    expect(output).toContain('No such file');
  });
});
