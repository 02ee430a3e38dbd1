import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const PLENTY = 4n * 2n ** 30n;

/** A new folder for what servers store: in memory where there is plenty, since it ends with its test. */
export function memoryFolder(prefix: string): string {
  return mkdtempSync(join(hasRoom() ? MEMORY : tmpdir(), prefix));
}

function hasRoom(): boolean {
  if (!existsSync(MEMORY)) return false;
  const free = statfsSync(MEMORY, { bigint: true });
  return free.bavail * free.bsize > PLENTY;
}
