import { totalmem } from 'node:os';
import { z } from 'zod';

/** What one command may use, with everything that it starts. */
export const commandLimitsSchema = z.strictObject({
  /** Megabytes of memory, all its processes together. */
  memoryMb: z.int().min(64).max(16_777_216).optional(),
  /** Processes and threads at once. */
  tasks: z.int().min(16).max(1_000_000).optional(),
  /** Megabytes of one file. */
  fileMb: z.int().min(1).max(16_777_216).optional(),
  /** Megabytes by which the free space of the workspace's disk may shrink meanwhile. */
  diskMb: z.int().min(1).max(16_777_216).optional(),
  openFiles: z.int().min(64).max(1_000_000).optional(),
  /** Processor time of one process. */
  cpuSeconds: z.int().min(1).max(1_000_000).optional(),
});

type Given = z.infer<typeof commandLimitsSchema>;
export type CommandLimits = { readonly [Name in keyof Given]-?: number };

/** Far from what a build or its tests use, and near enough to keep the machine alive. */
export function commandLimits(given: Given = {}): CommandLimits {
  const machineMb = Math.floor(totalmem() / 1024 / 1024);
  return {
    memoryMb: Math.max(256, Math.floor(machineMb * 0.75)),
    tasks: 8192,
    fileMb: 16_384,
    diskMb: 32_768,
    openFiles: 65_536,
    cpuSeconds: 7200,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
}
