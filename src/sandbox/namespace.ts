import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { isRoot } from './command-user.ts';
import { hostProgram, programPath } from './program-path.ts';

/**
 * The descriptor on which bwrap names the first process inside; the one before is the channel's.
 */
const INFO_DESCRIPTOR = 4;
const PATIENCE_MS = 20_000;

export interface NamespaceUse {
  /** Its commands get sandboxes of their own, which only the one that makes them has to leave. */
  readonly isForSandboxes: boolean;
  /** Descriptor on which bwrap says which process is the first inside; null = nobody asks. */
  readonly info?: number | null;
}

/**
 * Process numbers of its own: with the first process inside, the kernel ends all others, whatever
 * they did to get away, and it ends the first one with bwrap, and bwrap with the worker's thread
 * that started it. The capability is what root would need to leave by the machine's own /proc, and
 * what it needs to make sandboxes.
 */
export function inNamespace(
  command: readonly string[],
  { isForSandboxes, info = INFO_DESCRIPTOR }: NamespaceUse = { isForSandboxes: false },
): string[] {
  return [
    ...[hostProgram('bwrap'), '--dev-bind', '/', '/', '--unshare-pid'],
    ...['--proc', '/proc', '--die-with-parent', '--new-session'],
    ...(isForSandboxes ? [] : ['--cap-drop', 'CAP_SYS_ADMIN']),
    ...(info === null ? [] : ['--info-fd', String(info)]),
    ...['--', ...(isForSandboxes && isRoot() ? uncovered() : []), ...command],
  ];
}

/**
 * bwrap covers parts of root's /proc. Where a part is covered, the kernel lets no user namespace
 * have a /proc of its own, as each command of root's needs one.
 */
const uncovered = () => [
  ...[hostProgram('sh'), '-c', '"$0" -t proc proc /proc && exec "$@"', hostProgram('mount')],
];

/** The number that this host gave the first process inside; undefined when there is none. */
export async function firstInside(bwrap: ChildProcess): Promise<number | undefined> {
  const timer = setTimeout(() => bwrap.kill('SIGKILL'), PATIENCE_MS);
  try {
    const info = bwrap.stdio[INFO_DESCRIPTOR];
    if (bwrap.pid === undefined || !info || !('read' in info)) return undefined;
    const said: unknown = JSON.parse(await text(info));
    const { 'child-pid': pid } = said as { 'child-pid'?: unknown };
    // Killing the namespace's first process kills all below it; it must never be the host's init.
    return typeof pid === 'number' && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

let found: Promise<boolean> | null = null;

/** Whether this machine lets a worker make such a namespace; found out once, by making one. */
export function hasNamespaces(): Promise<boolean> {
  found ??= canMakeOne();
  return found;
}

async function canMakeOne(): Promise<boolean> {
  const [file = '', ...args] = inNamespace([hostProgram('true')]);
  const bwrap = spawn(file, args, { stdio: ['ignore', 'ignore', 'ignore', 'ignore', 'pipe'] });
  const exitCode = new Promise<number | null>((resolve) => {
    bwrap.once('error', () => resolve(null));
    bwrap.once('exit', resolve);
  });
  const first = await firstInside(bwrap);
  return (await exitCode) === 0 && first !== undefined;
}

/**
 * A network of its own with nothing but a loopback, for a server that its port doesn't protect. The
 * command is the first process inside: with it the kernel ends what it started. It sees the
 * machine's /proc, so it knows itself by the same number as those outside.
 */
export function inOwnNetwork(command: readonly string[]): string[] {
  return [
    ...[hostProgram('bwrap'), '--dev-bind', '/', '/'],
    ...['--unshare-net', '--unshare-pid', '--as-pid-1', '--', ...command],
  ];
}

/** Null when this machine allows such a network, else why not; found out by making one. */
export function whyNoOwnNetwork(): Promise<string | null> {
  if (programPath('bwrap') === null) return Promise.resolve('bwrap (bubblewrap) is not installed');
  const [file = '', ...args] = inOwnNetwork([hostProgram('true')]);
  return new Promise((resolve) => {
    execFile(file, args, { timeout: PATIENCE_MS }, (error, _, stderr) => {
      const said = stderr.trim().split('\n')[0]?.slice(0, 200);
      resolve(error === null ? null : `bwrap may not make one (${said || error.message})`);
    });
  });
}

/** Where a launcher enters the network of a process that nobody has started yet; there is none. */
const NOBODY = '/proc/0/ns/';

/**
 * Begins a command that joins a network which another process made. It fails as it stands:
 * `joining` names the process.
 */
export function intoNetwork(nsenter: string): string[] {
  // The network belongs to a user namespace, where the worker isn't root.
  const user = isRoot() ? [] : [`--user=${NOBODY}user`, '--preserve-credentials'];
  return [nsenter, ...user, `--net=${NOBODY}net`, '--'];
}

export const joining = (launcher: readonly string[], pid: number): string[] =>
  launcher.map((part) => part.replace(`=${NOBODY}`, `=/proc/${pid}/ns/`));

/** Makes a network with nothing but a loopback, for as long as the command in it runs. */
export const holdingNetwork = (command: readonly string[]): string[] => [
  ...[hostProgram('bwrap'), '--dev-bind', '/', '/', '--unshare-net'],
  ...['--die-with-parent', '--', ...command],
];
