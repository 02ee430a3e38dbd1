import { execFile } from 'node:child_process';
import { lstat, mkdir, realpath, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type HeldFolder, holdFolder, holdInner } from '../sandbox/held-folder.ts';
import { hostProgram } from '../sandbox/program-path.ts';
import { removeTree } from '../sandbox/remove-tree.ts';

const run = promisify(execFile);

/** What builds keep in a home: fetched packages and results of compilers. */
const CACHES = [
  ...['go/pkg/mod', '.m2/repository', '.gradle/caches', '.gradle/wrapper', '.cargo/registry'],
  ...['.cache/go-build', '.cache/ccache', '.ccache'],
];

/** Takes the caches out of a home. A command can put a link anywhere on the way to one. */
export async function keepCaches(home: string, to: string): Promise<void> {
  const around = await realpath(dirname(home)).catch(() => null);
  const held = around === null ? null : holdFolder(join(around, basename(home)));
  if (held === null) return;
  try {
    for (const path of CACHES) await keep(held, path.split('/'), join(to, path));
  } finally {
    held.close();
  }
}

async function keep(around: HeldFolder, way: readonly string[], to: string): Promise<void> {
  const [name = '', ...rest] = way;
  const inner = holdInner(around, name);
  if (inner === null) return;
  try {
    if (rest.length > 0) return await keep(inner, rest, to);
    await mkdir(dirname(to), { recursive: true });
    await removeTree(to);
    await rename(around.at(name), to);
  } finally {
    inner.close();
  }
}

/** Each run has a copy: what it writes there, no other run reads. */
export async function fillCaches(from: string, home: string): Promise<void> {
  if ((await lstat(from).catch(() => null))?.isDirectory() !== true) return;
  await mkdir(home, { recursive: true, mode: 0o700 });
  // Three times as fast as what Node has, for thousands of small files.
  await run(hostProgram('cp'), ['-a', '--reflink=auto', `${from}/.`, home]);
}
