import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** What the projects of Node have installed, at versions that were tried. */
const SETS: Readonly<Record<string, readonly string[]>> = {
  tape: ['tape@5.9.0'],
  mocha: ['mocha@11.7.4', 'chai@6.2.0'],
  jest: ['jest@30.2.0'],
  ava: ['ava@6.4.1'],
  vitest: ['vitest@4.1.10'],
  typescript: ['typescript@6.0.3'],
  bundled: ['typescript@6.0.3', 'esbuild@0.28.2'],
};

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/honesty', import.meta.url));

const making = new Map<string, Promise<string>>();

/** The folder `node_modules` of a set; it is shared, so that nobody may write into it. */
export function packagesOf(set: string): Promise<string> {
  const known = making.get(set);
  if (known !== undefined) return known;
  const made = install(set);
  making.set(set, made);
  return made;
}

/** A copy of its own, whose files nobody else has. */
export async function installPackages(set: string, folder: string): Promise<void> {
  await cp(await packagesOf(set), join(folder, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
  });
}

async function install(set: string): Promise<string> {
  const wanted = SETS[set];
  if (wanted === undefined) throw new Error(`no packages are named ${set}`);
  const folder = join(CACHE, wanted.join('+').replaceAll(/[^\w.+@-]/g, '-'));
  const modules = join(folder, 'node_modules');
  if (existsSync(modules)) return modules;
  const scratch = `${folder}.${process.pid}`;
  await mkdir(scratch, { recursive: true });
  await writeFile(join(scratch, 'package.json'), '{ "private": true }\n');
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock'];
  await promisify(execFile)('npm', ['install', ...flags, ...wanted], { cwd: scratch });
  await rm(folder, { recursive: true, force: true });
  await rename(scratch, folder);
  return modules;
}
