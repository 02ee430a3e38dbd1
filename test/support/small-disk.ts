import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whoever isn't root mounts nothing. */
export const canMount = process.getuid?.() === 0;

export interface SmallDisk {
  readonly path: string;
  /** Takes all that is free but so many bytes. */
  fill(leaving?: number): Promise<void>;
  /** Takes what is free, and what becomes free, and gives it back after so long. */
  fillFor(milliseconds: number): Promise<void>;
  /** What was taken is free again. */
  free(): Promise<void>;
  remove(): Promise<void>;
}

/** A disk of its own, in memory. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'goalkeeper-disk-'));
  const size = `size=${megabytes}m,mode=755`;
  execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'goalkeeper', path]);
  const taken: string[] = [];
  const disk: SmallDisk = {
    path,
    async fill(leaving = 0) {
      const { bavail, bsize } = await statfs(path);
      const bytes = bavail * bsize - leaving;
      if (bytes <= 0) return;
      const name = join(path, `taken-${taken.length}`);
      taken.push(name);
      // What others take meanwhile is taken as well.
      execFileSync(
        'sh',
        ['-c', `fallocate -l ${bytes} ${name} || cat /dev/zero > ${name} || true`],
        {
          stdio: 'ignore',
        },
      );
    },
    async fillFor(milliseconds) {
      for (const until = Date.now() + milliseconds; Date.now() < until; await sleep(50))
        await disk.fill();
      await disk.free();
    },
    async free() {
      for (const name of taken.splice(0)) await rm(name, { force: true });
    },
    async remove() {
      execFileSync('umount', ['--lazy', path]);
      await rm(path, { recursive: true });
    },
  };
  return disk;
}
