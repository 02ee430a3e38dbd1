import { matchesPath } from '../../schema/glob.ts';
import { mayMatchPath } from '../../schema/glob-overlap.ts';
import { enterFolder } from '../shell/read/folder.ts';

type Workspace = string | undefined;

/** The glob is relative to the workspace, or absolute; so is the path. */
export function meansPath(glob: string, path: string, workspace: Workspace): boolean {
  if (matchesPath(glob, path)) return true;
  const absolute = absolutely(glob, path, workspace);
  return absolute !== null && matchesPath(absolute.glob, absolute.path);
}

/** The same for a path with places in it that only the shell fills in. */
export function mayMeanPath(glob: string, open: string, workspace: Workspace): boolean {
  if (mayMatchPath(glob, open)) return true;
  const absolute = absolutely(glob, open, workspace);
  return absolute !== null && mayMatchPath(absolute.glob, absolute.path);
}

/** Both from the root of the file system; null where the glob stays inside of the workspace. */
function absolutely(glob: string, path: string, workspace: Workspace) {
  const [, upwards, rest = ''] = /^(?:\.\/+)*((?:\.\.\/+)*)(.*)$/s.exec(glob) ?? [];
  if (workspace === undefined || !(upwards || rest.startsWith('/'))) return null;
  const above = upwards ? enterFolder(workspace, upwards) : '';
  const folder = above === '/' ? '' : `${escaped(above ?? '')}`;
  const absolute = enterFolder(workspace, path);
  return absolute === null ? null : { glob: upwards ? `${folder}/${rest}` : rest, path: absolute };
}

const escaped = (path: string): string => path.replace(/[^A-Za-z0-9/]/gu, '\\$&');
