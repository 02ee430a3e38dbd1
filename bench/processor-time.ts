import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from './world.ts';

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

export interface ProcessorTime {
  readonly worker: number;
  readonly postgres: number;
  readonly temporal: number;
}

/** Milliseconds that the stack's processes have used so far: unlike wall time, hardly touched by
 * what else the machine does. */
export async function processorTime({ database, home }: World): Promise<ProcessorTime> {
  const workers = await database<{ pid: number }[]>`SELECT pid FROM worker`;
  const backends = await database<{ pid: number }[]>`SELECT pid FROM pg_stat_activity`;
  const temporal = JSON.parse(readFileSync(join(home, 'temporal.pid'), 'utf8')) as { pid: number };
  return {
    worker: usedBy(workers),
    postgres: usedBy(backends),
    temporal: usedBy(withChildren(temporal.pid)),
  };
}

/** Temporal's server is a child of the guard before it. */
function withChildren(pid: number): { readonly pid: number }[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return [{ pid }, ...children.filter(Boolean).flatMap((child) => withChildren(Number(child)))];
}

function usedBy(processes: readonly { readonly pid: number }[]): number {
  return processes.reduce((sum, { pid }) => sum + ticksOf(pid) * TICK_MS, 0);
}

function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return Number(user) + Number(system);
  } catch {
    return 0;
  }
}
