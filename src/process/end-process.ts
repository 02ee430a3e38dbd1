import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A process that can be told from a later one with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Kernel start time (with the boot on Linux); opaque, only compared. */
  readonly startedAt: string;
}

/** @returns null when no such process runs (a zombie counts as gone). */
export function identify(pid: number): ProcessIdentity | null {
  const startedAt = process.platform === 'linux' ? linuxStartTime(pid) : otherStartTime(pid);
  return startedAt === null ? null : { pid, startedAt };
}

export function isRunning(wanted: ProcessIdentity): boolean {
  return identify(wanted.pid)?.startedAt === wanted.startedAt;
}

/**
 * Ends a process that need not be our child and waits until it is gone.
 * @param signals tried one after the other, `graceMs` each.
 */
export async function endProcess(
  target: ProcessIdentity,
  signals: readonly NodeJS.Signals[],
  graceMs: number,
): Promise<void> {
  for (const signal of signals) {
    if (!isRunning(target)) return;
    send(target.pid, signal);
    if (await isGoneWithin(target, graceMs)) return;
  }
  throw new Error(`process ${target.pid} does not end`);
}

async function isGoneWithin(target: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isRunning(target)) {
    if (Date.now() > deadline) return false;
    await delay(25);
  }
  return true;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function linuxStartTime(pid: number): string | null {
  const stat = readOrNull(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The name in parentheses may itself hold blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ticks] = [fields[0], fields[19]];
  if (ticks === undefined || state === 'Z' || state === 'X') return null;
  return `${bootId()}/${ticks}`;
}

/** Start ticks count from boot, so they can repeat after one. */
function bootId(): string {
  return readOrNull('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
}

function otherStartTime(pid: number): string | null {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    return line === '' || line.startsWith('Z') ? null : line.replace(/^\S+\s+/, '');
  } catch {
    return null;
  }
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
