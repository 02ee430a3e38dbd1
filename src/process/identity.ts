import { readdirSync, readFileSync } from 'node:fs';
import type { ProcessIdentity } from '../contract/process-identity.ts';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly startedAt: string;
  readonly isZombie: boolean;
}

/** Null when there is no such process. */
export function readProcess(pid: number): ProcessEntry | null {
  const stat = readProcFile(pid, 'stat');
  if (stat === null) return null;
  // The command's name may hold spaces and parentheses, so fields are counted behind the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = '', parent = '', group = '', session = ''] = fields;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startedAt: fields[19] ?? '',
    isZombie: state === 'Z' || state === 'X',
  };
}

/** Every process that can still act; the dead that nobody has reaped are left out. */
export function listProcesses(): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const entry = readProcess(Number(name));
    if (entry !== null && !entry.isZombie) entries.push(entry);
  }
  return entries;
}

/** @throws when the process is gone. */
export function identify(pid: number, host: string): ProcessIdentity {
  const entry = readProcess(pid);
  if (entry === null) throw new Error(`process ${pid} is gone`);
  return { host, pid, startedAt: entry.startedAt };
}

export const MARK_NAME = 'GOALKEEPER_ATTEMPT';

/** What every command of a helper carries in its environment, also behind a `setsid`. */
export function markOf(identity: Pick<ProcessIdentity, 'pid' | 'startedAt'>): string {
  return `${identity.pid}:${identity.startedAt}`;
}

export function carriesMark(pid: number, mark: string): boolean {
  const environment = readProcFile(pid, 'environ');
  return environment?.split('\0').includes(`${MARK_NAME}=${mark}`) ?? false;
}

function readProcFile(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return null;
  }
}
