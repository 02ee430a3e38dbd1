import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Where bwrap says which process is the first inside; the descriptor before is the channel's. */
const INFO_DESCRIPTOR = 4;
const PATIENCE_MS = 20_000;

/**
 * Process numbers of its own: with the first process inside, the kernel ends all others, whatever
 * they did to get away, and it ends the first one with bwrap, and bwrap with the worker's thread
 * that started it. The capability is what root would need to leave by the machine's own /proc.
 */
const BWRAP = [
  ...['bwrap', '--dev-bind', '/', '/', '--unshare-pid', '--proc', '/proc'],
  ...['--die-with-parent', '--new-session', '--cap-drop', 'CAP_SYS_ADMIN'],
  ...['--info-fd', String(INFO_DESCRIPTOR), '--'],
];

/** To be started with a pipe behind the channel's descriptor. */
export function inNamespace(command: readonly string[]): string[] {
  return [...BWRAP, ...command];
}

/** The number that this host gave the first process inside; undefined when there is none. */
export async function firstInside(bwrap: ChildProcess): Promise<number | undefined> {
  const timer = setTimeout(() => bwrap.kill('SIGKILL'), PATIENCE_MS);
  try {
    const info = bwrap.stdio[INFO_DESCRIPTOR];
    if (bwrap.pid === undefined || !info || !('read' in info)) return undefined;
    const said: unknown = JSON.parse(await text(info));
    const { 'child-pid': pid } = said as { 'child-pid'?: unknown };
    // Whoever ends the first process inside ends all below it: that must never be the machine's.
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
  const [file = '', ...args] = inNamespace(['true']);
  const bwrap = spawn(file, args, { stdio: ['ignore', 'ignore', 'ignore', 'ignore', 'pipe'] });
  const exitCode = new Promise<number | null>((resolve) => {
    bwrap.once('error', () => resolve(null));
    bwrap.once('exit', resolve);
  });
  const first = await firstInside(bwrap);
  return (await exitCode) === 0 && first !== undefined;
}
