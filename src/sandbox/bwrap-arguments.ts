import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type CommandUser, isRoot, SHOWN_ID } from './command-user.ts';
import { isShown } from './hidden-places.ts';
import { type Mount, mountArguments } from './mounts.ts';
import { FILTER_DESCRIPTOR } from './seccomp.ts';

const KERNEL_SETTINGS = [
  ...['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'mtrr', 'driver', 'pressure'],
];

const SHARED_MEMORY_BYTES = 256 * 1024 * 1024;

export interface Box {
  readonly mounts: readonly Mount[];
  readonly hasOwnNetwork: boolean;
  /** Another name of the machine than its own. */
  readonly hostName?: string;
  /** No process writes into the memory of another; see `seccompFilter`. */
  readonly isInPlace?: boolean;
  /** It is in a control group of its own. */
  readonly isGrouped?: boolean;
  readonly user: CommandUser;
}

/**
 * Arguments of bwrap up to the command. bwrap itself sees to "no new privileges". It reads the
 * filter of calls from its descriptor.
 */
export function bwrapArguments({
  mounts,
  hasOwnNetwork,
  hostName,
  isInPlace,
  isGrouped = false,
  user,
}: Box): string[] {
  return [
    '--die-with-parent',
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(hasOwnNetwork ? ['--unshare-net'] : []),
    ...(hostName === undefined ? [] : ['--hostname', hostName]),
    ...rights(user),
    ...machinePrograms(isGrouped || isInGroup()),
    ...['--dev', '/dev', '--proc', '/proc', ...kernelSettings()],
    ...mountArguments(mounts, (path) => isShown(path.split('/')[1] ?? '')),
    ...(isInPlace ? ['--remount-ro', '/proc'] : []),
    ...['--seccomp', String(FILTER_DESCRIPTOR)],
    ...['--size', String(SHARED_MEMORY_BYTES), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--remount-ro', '/'],
  ];
}

/** The root is empty at first, so what the machine gets later is not shown either. */
function machinePrograms(hidesGroups: boolean): string[] {
  const entries = readdirSync('/', { withFileTypes: true }).filter(({ name }) => isShown(name));
  return entries.flatMap((entry) => {
    const path = `/${entry.name}`;
    if (entry.isSymbolicLink()) return ['--symlink', readlinkSync(path), path];
    if (path === '/sys' && hidesGroups) return ['--dir', path, ...devices(path)];
    return entry.isDirectory() ? ['--ro-bind', path, path] : [];
  });
}

/**
 * Inside, a command's control group is called `/`. Where the worker's is another one, the groups that
 * `/sys/fs` shows are not those that the command is told of. Java 17 finds no way from one to the
 * other: what asks it for the machine's memory, such as Gradle, ends with an exception.
 */
const devices = (path: string): string[] =>
  readdirSync(path)
    .filter((name) => name !== 'fs')
    .flatMap((name) => ['--ro-bind', `${path}/${name}`, `${path}/${name}`]);

/** A line for each hierarchy: `4:memory:/system.slice/x.service`. */
const isInGroup = (): boolean =>
  readText('/proc/self/cgroup')
    .split('\n')
    .some((line) => line !== '' && !line.endsWith(':/'));

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Root without rights still owns the kernel's settings and may write them, such as the program that
 * gets core dumps and runs outside of every sandbox.
 */
function kernelSettings(): string[] {
  if (!isRoot()) return [];
  const present = KERNEL_SETTINGS.map((name) => `/proc/${name}`).filter(existsSync);
  return present.flatMap((path) => ['--ro-bind', path, path]);
}

const TO_BECOME = ['CAP_DAC_READ_SEARCH', 'CAP_SETGID', 'CAP_SETUID'];

/** Entering the owner's folders and becoming him takes some, which are gone with root's number. */
function rights(user: CommandUser): string[] {
  const shown = String(SHOWN_ID);
  switch (user.kind) {
    case 'self':
      return [];
    case 'rightless':
      return ['--unshare-user', '--uid', shown, '--gid', shown, '--cap-drop', 'ALL'];
    case 'owner':
      return ['--cap-drop', 'ALL', ...TO_BECOME.flatMap((right) => ['--cap-add', right])];
  }
}
