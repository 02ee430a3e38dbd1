import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { LocalProcess } from '../contract/process-identity.ts';

export interface ProcessEntry extends LocalProcess {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly isZombie: boolean;
}

/** Null when there is no such process; Linux only. */
export function readProcess(pid: number): ProcessEntry | null {
  const stat = readOrNull(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The command's name may hold spaces and parentheses, so fields are counted behind the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = '', parent = '', group = '', session = ''] = fields;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startedAt: `${bootId()}/${fields[19] ?? ''}`,
    isZombie: state === 'Z' || state === 'X',
  };
}

/** Every process that can still act; the dead that nobody has reaped are left out. Linux only. */
export function listProcesses(): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const entry = readProcess(Number(name));
    if (entry !== null && !entry.isZombie) entries.push(entry);
  }
  return entries;
}

/** Null when no such process runs; a zombie counts as gone. */
export function identify(pid: number): LocalProcess | null {
  if (process.platform !== 'linux') return identifyByPs(pid);
  const entry = readProcess(pid);
  return entry === null || entry.isZombie ? null : { pid, startedAt: entry.startedAt };
}

/** @throws when the process is gone */
export function identifyRunning(pid: number): LocalProcess {
  const identity = identify(pid);
  if (identity === null) throw new Error(`process ${pid} is gone`);
  return identity;
}

export function isRunning(recorded: LocalProcess): boolean {
  const found = identify(recorded.pid);
  return found !== null && isSameProcess(found, recorded);
}

/** @param recorded may be of an earlier version, which didn't know the boot */
export function isSameProcess(found: LocalProcess, recorded: LocalProcess): boolean {
  if (found.pid !== recorded.pid) return false;
  return recorded.startedAt.includes('/') || process.platform !== 'linux'
    ? found.startedAt === recorded.startedAt
    : startTicks(found) === startTicks(recorded);
}

/** Since the boot; to be compared only within one. */
export function startTicks({ startedAt }: LocalProcess): number {
  return Number(startedAt.slice(startedAt.lastIndexOf('/') + 1));
}

/** The part of a file's name that identifies its owner process. */
export function nameOfProcess({ pid, startedAt }: LocalProcess): string {
  return `${pid}-${startedAt.replace('/', '.')}`;
}

const NAMED = /^(\d+)-((?:[0-9a-f-]*\.)?\d+)-/;

/** The owner process from a name that begins with `nameOfProcess` and a hyphen. */
export function processInName(name: string): LocalProcess | null {
  const [, pid, startedAt] = NAMED.exec(name) ?? [];
  if (pid === undefined || startedAt === undefined) return null;
  return { pid: Number(pid), startedAt: startedAt.replace('.', '/') };
}

let knownBoot: string | null = null;

/** Empty where the kernel tells none. */
export function bootId(): string {
  knownBoot ??= readOrNull('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
  return knownBoot;
}

function identifyByPs(pid: number): LocalProcess | null {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    if (line === '' || line.startsWith('Z')) return null;
    return { pid, startedAt: line.replace(/^\S+\s+/, '') };
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
