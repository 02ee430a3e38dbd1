import { realpathSync, statSync } from 'node:fs';
import { UsageError } from './exit-code.ts';

export interface NamedWorkspace {
  readonly name: string;
  /** Absolute, symlinks resolved. */
  readonly path: string;
}

/** `--workspace NAME=PATH`, as often as given. */
export function parseWorkspaces(options: readonly string[]): NamedWorkspace[] {
  return options.map(parseWorkspace);
}

function parseWorkspace(option: string): NamedWorkspace {
  const [, name, path] = /^([A-Za-z0-9._-]{1,120})=(.+)$/s.exec(option) ?? [];
  if (name === undefined || path === undefined) {
    throw new UsageError(`--workspace ${option} is not NAME=PATH.`, 'Write it as shop=/srv/shop.');
  }
  return { name, path: folderAt(path) };
}

function folderAt(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return realpathSync(path);
  throw new UsageError(`There is no folder ${path}.`, 'Make it, or name another.');
}
