import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from '../../scripts/build-console.ts';

const sources = fileURLToPath(new URL('../../src/ui/', import.meta.url));
const built = fileURLToPath(new URL('../../dist/console', import.meta.url));
const lock = `${built}.lock`;

/** A build takes seconds; a lock that is older was left by one that was killed. */
const STALE_MS = 120_000;
const LOOK_MS = 100;

/** Where the service finds it, made from the present sources; by one test file while others wait. */
export async function builtConsole(): Promise<void> {
  while (!takeLock()) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  try {
    const page = join(built, 'index.html');
    if (existsSync(page) && statSync(page).mtimeMs > newestIn(sources)) return;
    await buildConsole(built);
  } finally {
    rmdirSync(lock);
  }
}

function takeLock(): boolean {
  const stats = statSync(lock, { throwIfNoEntry: false });
  if (stats !== undefined && Date.now() - stats.mtimeMs > STALE_MS) rmdirSync(lock);
  try {
    mkdirSync(dirname(lock), { recursive: true });
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function newestIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Math.max(...files.map((file) => statSync(join(folder, file)).mtimeMs));
}
