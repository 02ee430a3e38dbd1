import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { CANARY, type Ground } from './ground.ts';

/** Nine calls a round at a folder that is, at any moment, itself, a link that leads out, or not there. */
export async function tryWhileSwapped(ground: Ground, rounds: number): Promise<void> {
  // Decoys bear the names of what lies outside, so that a look at the names alone finds nothing.
  await writeFile(join(ground.root, 'src/secret.txt'), 'CANARY decoy\n');
  await mkdir(join(ground.root, 'src/deep'));
  await writeFile(join(ground.root, 'src/deep/secret.txt'), 'CANARY decoy\n');
  await mkdir(join(ground.base, 'outside/deep'));
  await writeFile(join(ground.base, 'outside/deep/secret.txt'), CANARY);
  await writeFile(join(ground.base, 'outside/only-outside.txt'), CANARY);
  const kept = (await readdir(join(ground.base, 'outside'))).sort();
  const swaps = swapWithLink(join(ground.root, 'src'), join(ground.base, 'outside'));
  const read = {
    read_file: [{ path: 'src/secret.txt' }, { path: 'src/deep/secret.txt' }],
    grep_search: [
      { path: 'src', pattern: 'CANARY' },
      { path: 'src/secret.txt', pattern: 'CANARY' },
      { pattern: 'CANARY' },
    ],
    list_files: [{ path: 'src' }, {}],
  };
  for (let round = 0; round < rounds; round += 1) {
    for (const [tool, givens] of Object.entries(read)) {
      for (const given of givens) {
        const result = await ground.call(tool, given).catch((error: Error) => error.message);
        expect(JSON.stringify(result)).not.toMatch(new RegExp(`${CANARY}|only-outside`));
      }
    }
    const written = { path: `src/new${round}.txt`, content: 'overwritten' };
    const edited = { path: 'src/secret.txt', edits: [{ oldText: 'decoy', newText: 'decoy' }] };
    for (const [tool, given] of [
      ['write_file', written],
      ['edit_file', edited],
    ] as const) {
      const result = await ground.call(tool, given).catch((error: Error) => error.message);
      expect(JSON.stringify(result)).not.toContain(CANARY);
    }
  }
  expect(await swaps.stop()).toBeGreaterThan(100);
  expect((await readdir(join(ground.base, 'outside'))).sort()).toEqual(kept);
}

/** A process of its own that never rests; tells at the end how often it swapped. */
function swapWithLink(folder: string, target: string) {
  const loop = `
    const { renameSync, rmSync, symlinkSync } = require('node:fs');
    const [folder, target] = process.argv.slice(1);
    symlinkSync(target, folder + '-link');
    let count = 0;
    let isOver = false;
    process.on('message', () => { isOver = true; });
    // A write that finds no folder there makes one.
    const move = (from, to) => {
      for (;;) {
        try { return renameSync(from, to); } catch {}
        try { rmSync(to, { recursive: true, force: true }); } catch {}
      }
    };
    (function swap() {
      for (let turn = 0; turn < 50; turn += 1, count += 1) {
        move(folder, folder + '-kept');
        move(folder + '-link', folder);
        move(folder, folder + '-link');
        move(folder + '-kept', folder);
      }
      if (!isOver) return setImmediate(swap);
      process.send(count, () => process.exit());
    })();`;
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
  const child = spawn(process.execPath, ['-e', loop, folder, target], { stdio: [...stdio] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    stop: async (): Promise<number> => {
      child.send('stop');
      const [count] = await once(child, 'message');
      return Number(count);
    },
  };
}
