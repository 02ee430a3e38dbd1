import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  access,
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeCheckout } from '../../src/evidence/checkout.ts';
import { removeScratch, sweepScratch } from '../../src/workspace/scratch.ts';
import { ROOT, testWith } from '../support/needs.ts';
import { temporaryFolder } from '../tools/support.ts';
import { checkOutWhileSwapped } from './swapped-file.ts';

let workspace: string;
beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'goalkeeper-tree-'));
});
afterEach(() => rm(workspace, { recursive: true, force: true }));

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

describe('a checkout of what would be delivered', () => {
  it('has tracked and new files with their modes and links, without what git ignores', async () => {
    await mkdir(join(workspace, 'bin'));
    await writeFile(join(workspace, '.gitignore'), 'secret.txt\n');
    await writeFile(join(workspace, 'secret.txt'), 'x');
    await writeFile(join(workspace, 'bin/run.sh'), 'echo hello\n');
    await chmod(join(workspace, 'bin/run.sh'), 0o755);
    await symlink('bin/run.sh', join(workspace, 'run'));
    const checkout = await makeCheckout(workspace);
    expect(await readFile(join(checkout, 'run'), 'utf8')).toBe('echo hello\n');
    expect((await stat(join(checkout, 'bin/run.sh'))).mode & 0o777).toBe(0o755);
    expect(await isThere(join(checkout, 'secret.txt'))).toBe(false);
    await removeScratch(checkout);
    expect(await isThere(checkout)).toBe(false);
  });

  it('BOX-17 never holds what a link leads to that takes a file’s place meanwhile', () =>
    checkOutWhileSwapped(workspace, 40));

  it('of a process that died is swept away, one that is in use stays', async () => {
    const own = await makeCheckout(workspace);
    const orphan = join(tmpdir(), `goalkeeper-checkout-${process.pid}-1-orphan`);
    await mkdir(join(orphan, 'deep'), { recursive: true });
    await sweepScratch();
    expect(await isThere(orphan)).toBe(false);
    expect(await isThere(own)).toBe(true);
    await removeScratch(own);
  });

  testWith(ROOT)(
    'KEY-30: what another user made under the name of a scratch folder is never removed',
    async () => {
      const theirs = join(tmpdir(), `goalkeeper-home-${process.pid}-1-theirs`);
      await mkdir(theirs);
      await writeFile(join(theirs, 'important'), '');
      await chown(theirs, 65_534, 65_534);
      try {
        await sweepScratch();
        expect(await isThere(join(theirs, 'important'))).toBe(true);
      } finally {
        await rm(theirs, { recursive: true });
      }
    },
  );

  it('KEY-31: what is swapped with a link while a scratch folder is removed costs nothing behind it', async () => {
    const [folder, victim] = [await temporaryFolder(), await temporaryFolder()];
    const names = Array.from({ length: 3000 }, (_, index) => `f${index}`);
    await mkdir(join(folder, 'd'));
    for (const at of [join(folder, 'd'), victim]) {
      for (const name of names) await writeFile(join(at, name), '');
    }
    await symlink(victim, join(folder, 'l'));
    // As soon as the first file is gone, the folder and the link change names.
    const swap = [
      'import ctypes, os, sys',
      'at = sys.argv[1].encode()',
      'call = ctypes.CDLL(None).renameat2',
      'print("begun", flush=True)',
      `while len(os.listdir(at + b"/d")) == ${names.length}: pass`,
      'call(-100, at + b"/d", -100, at + b"/l", 2)',
    ].join('\n');
    const swapping = spawn('python3', ['-c', swap, folder]);
    const ended = once(swapping, 'exit');
    await once(swapping.stdout, 'data');
    await removeScratch(join(folder, 'd'));
    await removeScratch(join(folder, 'l'));
    await ended;
    expect((await readdir(victim)).length).toBe(names.length);
  });
});
