import { z } from 'zod';

/** Limits of one command, including everything that it starts. */
export const commandLimitsSchema = z.strictObject({
  /** Megabytes of memory, all its processes together. */
  memoryMb: z.int().min(64).max(16_777_216).optional(),
  /** Processes and threads at once. */
  tasks: z.int().min(16).max(1_000_000).optional(),
  /** Megabytes of one file. */
  fileMb: z.int().min(1).max(16_777_216).optional(),
  /** Megabytes by which the free space of the disks that it writes to may shrink meanwhile. */
  diskMb: z.int().min(1).max(16_777_216).optional(),
  /** Files and folders by which the free ones (inodes) of these disks may shrink meanwhile. */
  diskFiles: z.int().min(100).max(1_000_000_000).optional(),
  openFiles: z.int().min(64).max(1_000_000).optional(),
  /** Processor time of one process. */
  cpuSeconds: z.int().min(1).max(1_000_000).optional(),
});

export type Given = z.infer<typeof commandLimitsSchema>;

export type CommandLimits = { readonly [Name in keyof Given]-?: number };
