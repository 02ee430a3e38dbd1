import { existsSync } from 'node:fs';
import { type Mount, mountArguments } from './mounts.ts';
import { FILTER_DESCRIPTOR, writeGuard } from './write-guard.ts';

/** The capabilities that builds and test servers use; none of them leads out of the sandbox. */
const KEPT_RIGHTS = [
  ...['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_FSETID', 'CAP_KILL'],
  ...['CAP_NET_BIND_SERVICE', 'CAP_SETGID', 'CAP_SETUID'],
];

const KERNEL_SETTINGS = [
  ...['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'mtrr', 'driver', 'pressure'],
];

const SHARED_MEMORY_BYTES = 256 * 1024 * 1024;

export interface Box {
  readonly mounts: readonly Mount[];
  readonly hasOwnNetwork: boolean;
  /** Another name of the machine than its own. */
  readonly hostName?: string;
  /** No process writes into the memory of another; see `writeGuard`. */
  readonly isGuarded?: boolean;
}

/** Arguments of bwrap up to the command. bwrap itself sees to "no new privileges". */
export function bwrapArguments({ mounts, hasOwnNetwork, hostName, isGuarded }: Box): string[] {
  return [
    '--die-with-parent',
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(hasOwnNetwork ? ['--unshare-net'] : []),
    ...(hostName === undefined ? [] : ['--hostname', hostName]),
    ...rights(),
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', ...kernelSettings()],
    ...mountArguments(mounts),
    ...(isGuarded ? guards() : []),
    ...['--size', String(SHARED_MEMORY_BYTES), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
  ];
}

function guards(): string[] {
  const filter = writeGuard() === null ? [] : ['--seccomp', String(FILTER_DESCRIPTOR)];
  return ['--remount-ro', '/proc', ...filter];
}

/**
 * Root without rights still owns the kernel's settings and may write them, such as the program that
 * gets core dumps and runs outside of every sandbox.
 */
function kernelSettings(): string[] {
  if (process.getuid?.() !== 0) return [];
  const present = KERNEL_SETTINGS.map((name) => `/proc/${name}`).filter(existsSync);
  return present.flatMap((path) => ['--ro-bind', path, path]);
}

/** bwrap leaves no capabilities to users other than root. */
function rights(): string[] {
  if (process.getuid?.() !== 0) return [];
  return ['--cap-drop', 'ALL', ...KEPT_RIGHTS.flatMap((right) => ['--cap-add', right])];
}
