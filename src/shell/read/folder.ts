/**
 * A folder relative to the workspace, '' for its root; absolute or with leading `..` when it lies
 * outside; null when only the shell knows it.
 */
export type Folder = string | null;

export function enterFolder(from: Folder, into: string, workspace?: string): Folder {
  if (into === '-' || into.startsWith('~')) return null;
  if (isAbsolute(into)) return relativeTo(workspace, tidy('', into));
  return from === null ? null : tidy(from, into);
}

export function isOutside(folder: Folder): boolean {
  return folder !== null && (folder.startsWith('/') || /^\.\.(\/|$)/.test(folder));
}

/** Installed packages and the repository's own store are no part of what is built here. */
export function isForeign(folder: Folder): boolean {
  return isOutside(folder) || /(^|\/)(node_modules|\.git)(\/|$)/.test(folder ?? '');
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/');
}

function relativeTo(workspace: string | undefined, path: string): string {
  const root = workspace === undefined ? undefined : tidy('', workspace);
  if (root === undefined || root === '') return path;
  if (path === root) return '';
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

function tidy(base: string, path: string): string {
  const parts = isAbsolute(path) ? [''] : base === '' ? [] : base.split('/');
  for (const part of path.split('/')) {
    const last = parts.at(-1);
    if (part === '..' && last !== undefined && last !== '..' && last !== '') parts.pop();
    else if (part === '..' && last === '') continue;
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.length === 1 && parts[0] === '' ? '/' : parts.join('/');
}
