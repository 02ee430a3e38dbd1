import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { programPath } from '../../src/sandbox/program-path.ts';

const NOBODY = '65534:65534';

/** Root's worker, where it makes no sandbox, runs commands only in what belongs to somebody else. */
export const needsOwner = (mode?: string): boolean =>
  process.getuid?.() === 0 && (mode === 'off' || programPath('bwrap') === null);

/** Gives what is root's in workspaces of a test to an ordinary user, who gets there through the folders around. */
export function giveAway(folders: readonly string[], around: readonly string[] = []): void {
  const chown = ['-R', '-h', '--from=0', NOBODY];
  const there = folders.filter((folder) => existsSync(folder));
  if (there.length > 0) execFileSync('chown', [...chown, ...there]);
  if (around.length > 0) execFileSync('chmod', ['711', ...around]);
}
