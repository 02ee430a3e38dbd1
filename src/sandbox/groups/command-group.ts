import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandLimits } from '../../../schema/command-limits.ts';
import type { Controller } from './groups.ts';

/** The control group of one command. */
export interface GroupOrder {
  readonly folder: string;
  readonly controllers: readonly Controller[];
}

export interface CommandGroup {
  readonly folder: string;
  /** Both memory and processes are limited by the kernel. */
  readonly isWhole: boolean;
  /** The limit that the kernel held the command to so far; null = none. */
  excess(): 'memory_limit' | 'task_limit' | null;
  /** Ends all that is in it, whatever it did to get away. */
  kill(): void;
  /** The same, and removes it. */
  end(): Promise<void>;
}

const POLL_MS = 5;
const PATIENCE_MS = 5000;
const BYTES_OF_MEGABYTE = 1024 * 1024;

/**
 * Makes the group with its limits. What the kernel ends for its memory, it ends whole.
 * @throws Error of the kernel: no command may start then, as its limits would not hold
 */
export function openCommandGroup(
  { folder, controllers }: GroupOrder,
  limits: Pick<CommandLimits, 'memoryMb' | 'tasks'>,
): CommandGroup {
  mkdirSync(folder);
  const set = (name: string, value: number) => writeFileSync(join(folder, name), String(value));
  try {
    if (controllers.includes('memory')) {
      set('memory.max', limits.memoryMb * BYTES_OF_MEGABYTE);
      set('memory.oom.group', 1);
      // A kernel that doesn't count swap has no such file.
      if (existsSync(join(folder, 'memory.swap.max'))) set('memory.swap.max', 0);
    }
    if (controllers.includes('pids')) set('pids.max', limits.tasks);
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
  return {
    folder,
    isWhole: controllers.length === 2,
    excess() {
      // A machine that runs out of memory kills too, and that was no limit of this command.
      const events = (name: string) => count(folder, 'memory.events', name);
      if (events('oom') > 0 && events('oom_kill') > 0) return 'memory_limit';
      return count(folder, 'pids.events', 'max') > 0 ? 'task_limit' : null;
    },
    kill: () => kill(folder),
    end: () => endGroup(folder),
  };
}

/** What can't be ended or removed within some seconds stays, for the next sweep. */
export async function endGroup(folder: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (existsSync(folder) && performance.now() < deadline) {
    kill(folder);
    if (count(folder, 'cgroup.events', 'populated') === 0 && isRemoved(folder)) return;
    await sleep(POLL_MS);
  }
}

function kill(folder: string): void {
  try {
    writeFileSync(join(folder, 'cgroup.kill'), '1');
  } catch {
    // It is removed already.
  }
}

function isRemoved(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return !existsSync(folder);
  }
}

/** A line of such a file: `oom_kill 1`. */
function count(folder: string, file: string, name: string): number {
  try {
    const text = readFileSync(join(folder, file), 'utf8');
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
