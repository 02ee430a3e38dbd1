import { spawn } from 'node:child_process';
import { lstat, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeCheckout } from '../../src/evidence/checkout.ts';
import { removeScratch } from '../../src/workspace/scratch.ts';

/** So many checkouts of a file that is now itself, now a link to a secret beside the workspace. */
export async function checkOutWhileSwapped(workspace: string, rounds: number): Promise<void> {
  const secret = join(workspace, '..', `goalkeeper-secret-${process.pid}`);
  await writeFile(secret, 'of the host');
  await writeFile(join(workspace, 'a.txt'), 'a');
  const swap = `while :; do ln -sfn ${secret} l; mv -T l a.txt; echo a > f; mv -T f a.txt; done`;
  const swapping = spawn('bash', ['-c', swap], { cwd: workspace, detached: true });
  try {
    for (let round = 0; round < rounds; round += 1) {
      const checkout = await makeCheckout(workspace);
      const stats = await lstat(join(checkout, 'a.txt')).catch(() => null);
      if (stats?.isFile() === true)
        expect(await readFile(join(checkout, 'a.txt'), 'utf8')).not.toContain('of the host');
      await removeScratch(checkout);
    }
  } finally {
    // Zero would be the tests' own group.
    if (swapping.pid !== undefined) process.kill(-swapping.pid, 'SIGKILL');
    await rm(secret);
  }
}
