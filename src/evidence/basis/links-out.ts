import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const DEPENDENCIES = /(^|\/)node_modules\//;
const INTERPRETER = /^(.*\/|)bin\/python[\d.]*$/;

/** Path → target of each link that leads out of the workspace, except those that tools create. */
export function linksOutOf(workspace: string, files: readonly string[]): Map<string, string> {
  const roots = [workspace, realpathSync(workspace)];
  const found = new Map<string, string>();
  for (const path of files) {
    const target = targetOf(join(workspace, path));
    if (target === null || isLaidByTools(path, files)) continue;
    const absolute = resolve(dirname(join(workspace, path)), target);
    if (roots.every((root) => isOutside(root, absolute))) found.set(path, target);
  }
  return found;
}

function targetOf(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    // The link was removed while the tree was listed.
    return null;
  }
}

/** Packages linked from elsewhere, and the interpreter of a virtual environment. */
function isLaidByTools(path: string, files: readonly string[]): boolean {
  if (DEPENDENCIES.test(path)) return true;
  const environment = INTERPRETER.exec(path)?.[1];
  return environment !== undefined && files.includes(`${environment}pyvenv.cfg`);
}

const isOutside = (root: string, path: string): boolean => /^\.\.(\/|$)/.test(relative(root, path));
