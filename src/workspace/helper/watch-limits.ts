import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { CommandLimits } from '../../../schema/command-limits.ts';
import type { CommandRun } from '../../contract/effects.ts';
import { listProcesses } from '../../process/process-identity.ts';
import type { CommandGroup } from '../../sandbox/groups/command-group.ts';
import { openMemory } from './shared-memory.ts';
import { descendantsOf } from './watch-box.ts';
import { watchDisks } from './watch-disks.ts';

/** Among a helper's own processes or in a group's own files, and among all of the machine. */
const EVERY_MS = { inBox: 200, outside: 1000 };
const KILOBYTES = 1024;

type Ended = CommandRun['ended'];

interface Watched {
  /** The disks on which they lie count. */
  readonly folders: readonly string[];
  readonly limits: CommandLimits;
  readonly isBoxed: boolean;
  /** The kernel holds it to the limits that its control group has. */
  readonly group: CommandGroup | null;
}

/** Ends a command that uses too much with all that it started; its kernel limits are set beside. */
export function watchLimits(
  child: ChildProcess,
  { folders, limits, isBoxed, group }: Watched,
  stop: (why: Ended) => void,
): { end(): void } {
  const lookAtDisks = watchDisks(folders, limits);
  let isLooking = false;
  const look = async (): Promise<Ended | null> => {
    const excess = group?.excess() ?? null;
    if (excess !== null) return excess;
    if (group?.isWhole !== true) {
      const { tasks, megabytes } = measure(child.pid);
      if (tasks > limits.tasks) return 'task_limit';
      if (megabytes > limits.memoryMb) return 'memory_limit';
    }
    return await lookAtDisks();
  };
  const round = async () => {
    if (isLooking) return;
    isLooking = true;
    const excess = await look().catch(() => null);
    isLooking = false;
    if (excess !== null) stop(excess);
  };
  const isCheap = isBoxed || group?.isWhole === true;
  const timer = setInterval(() => void round(), isCheap ? EVERY_MS.inBox : EVERY_MS.outside);
  return { end: () => clearInterval(timer) };
}

/** Threads, and memory without the programs' files, which cost the machine nothing more. */
function measure(root: number | undefined): { tasks: number; megabytes: number } {
  let tasks = 0;
  let kilobytes = 0;
  let mapped = 0;
  const pids = [...descendantsOf(listProcesses(), root)];
  for (const pid of pids) {
    const status = readText(`/proc/${pid}/status`);
    const number = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    tasks += number('Threads');
    kilobytes += number('RssAnon');
    mapped += number('RssShmem');
  }
  kilobytes += Math.max(mapped, openMemory(pids));
  return { tasks, megabytes: kilobytes / KILOBYTES };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
