import { execFile } from 'node:child_process';
import { lstat, mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { hostProgram } from '../sandbox/program-path.ts';
import { removeTree } from './place.ts';

const run = promisify(execFile);

/** What builds keep in a home: fetched packages and results of compilers. */
const CACHES = [
  ...['go/pkg/mod', '.m2/repository', '.gradle/caches', '.gradle/wrapper', '.cargo/registry'],
  ...['.cache/go-build', '.cache/ccache', '.ccache'],
];

/** Takes the caches out of a home. */
export async function keepCaches(home: string, to: string): Promise<void> {
  for (const path of CACHES) {
    if (!(await isFolder(join(home, path)))) continue;
    await mkdir(dirname(join(to, path)), { recursive: true });
    await removeTree(join(to, path));
    await rename(join(home, path), join(to, path));
  }
}

/** Each run has a copy: what it writes there, no other run reads. */
export async function fillCaches(from: string, home: string): Promise<void> {
  if (!(await isFolder(from))) return;
  await mkdir(home, { recursive: true, mode: 0o700 });
  // Three times as fast as what Node has, for thousands of small files.
  await run(hostProgram('cp'), ['-a', '--reflink=auto', `${from}/.`, home]);
}

/** A command can put a link in its home, and nothing of the host is to be moved through it. */
async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() === true;
}
