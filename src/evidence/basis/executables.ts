import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { Program } from './resolve.ts';

export interface Executable {
  /** Location and content identity of the file. */
  readonly text: string;
  /** A package manager put it there. */
  readonly isInstalled: boolean;
}

/**
 * Largest file that is read whole: files of the system change with it, so only files that a goal
 * could write matter.
 */
const LARGEST_READ = 2 * 1024 * 1024;

/**
 * Resolves a program's name to a file as the shell or the package manager does; null when there is
 * none.
 */
export async function findExecutable(
  workspace: string,
  program: Program,
  environment: Readonly<Record<string, string>>,
): Promise<Executable | null> {
  const folder = join(workspace, program.folder);
  const path = locate(workspace, folder, program, environment.PATH ?? '');
  return path === null ? null : await describe(workspace, path);
}

function locate(workspace: string, folder: string, program: Program, path: string): string | null {
  if (program.name.includes('/')) {
    const named = resolve(folder, program.name);
    return isExecutable(named) ? named : null;
  }
  const own = program.isPackageScript ? binFolders(workspace, folder) : [];
  const places = path.split(':').map((place) => resolve(folder, place || '.'));
  return [...own, ...places].map((place) => join(place, program.name)).find(isExecutable) ?? null;
}

function binFolders(workspace: string, folder: string): string[] {
  const folders: string[] = [];
  for (let at = folder; at.startsWith(workspace); at = dirname(at)) {
    folders.push(join(at, 'node_modules', '.bin'));
    if (at === workspace) break;
  }
  return folders;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

async function describe(workspace: string, path: string): Promise<Executable> {
  const real = realpathSync(path);
  const stats = statSync(real);
  const isInside = real.startsWith(realpathSync(workspace) + sep) || path.startsWith(workspace);
  const shown = path.startsWith(workspace + sep) ? path.slice(workspace.length + 1) : path;
  if (!isInside) {
    const text = `${shown} → ${real}, ${stats.size} bytes, ${stats.mtime.toISOString()}`;
    return { text, isInstalled: true };
  }
  const content = stats.size > LARGEST_READ ? `${stats.size} bytes` : await readFile(real, 'utf8');
  const owner = await packageOf(path, real);
  return { text: `${shown} (${owner ?? 'no package'})\n${content}`, isInstalled: owner !== null };
}

/** Name and version of the package in node_modules that declares this file as its program. */
async function packageOf(path: string, real: string): Promise<string | null> {
  const name = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(real)?.[1];
  const isVirtualEnvironment = /\/\.?venv\/bin\/[^/]+$/.test(path);
  if (isVirtualEnvironment) return 'a virtual environment';
  if (name === undefined || name === '.bin') return null;
  const root = real.slice(0, real.lastIndexOf(`/node_modules/${name}/`) + 14 + name.length);
  const text = await readFile(join(root, 'package.json'), 'utf8').catch(() => '{}');
  const manifest = parse(text);
  const bins =
    typeof manifest.bin === 'string' ? [manifest.bin] : Object.values(manifest.bin ?? {});
  const isDeclared = bins.some((bin) => resolve(root, bin) === real);
  return isDeclared && manifest.name === name ? `${name} ${manifest.version ?? ''}` : null;
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly bin?: string | Record<string, string>;
}

function parse(text: string): Manifest {
  try {
    return JSON.parse(text) as Manifest;
  } catch {
    return {};
  }
}
