/** Where a process stands in the control groups of version 2. */
export interface OwnGroup {
  /** As the file system shows it. */
  readonly folder: string;
  /** It is the root of what this process may see: the machine's, or a container's own. */
  readonly isTop: boolean;
}

/**
 * @param groups of `/proc/self/cgroup`
 * @param mounts of `/proc/self/mountinfo`
 * @returns null where the file system shows no group of this process
 */
export function ownGroup(groups: string, mounts: string): OwnGroup | null {
  const path = /^0::(\/.*)$/m.exec(groups)?.[1];
  if (path === undefined || path.startsWith('/..')) return null;
  for (const line of mounts.split('\n').reverse()) {
    const [, , , root = '', at = ''] = line.split(' ');
    if (!/ - cgroup2 /.test(line) || !isBelow(path, plain(root))) continue;
    const rest = plain(root) === '/' ? path : path.slice(plain(root).length);
    const folder = `${plain(at)}${rest}`.replace(/\/+$/, '');
    return { folder, isTop: path === plain(root) };
  }
  return null;
}

const isBelow = (path: string, root: string): boolean =>
  root === '/' || path === root || path.startsWith(`${root}/`);

/** The kernel writes blanks and backslashes of paths as octal numbers. */
const plain = (path: string): string =>
  path.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
