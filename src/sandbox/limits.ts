import { totalmem } from 'node:os';
import type { CommandLimits, Given } from '../../schema/command-limits.ts';

/** Far from what a build or its tests use, and near enough to keep the machine alive. */
export function commandLimits(given: Given = {}): CommandLimits {
  const machineMb = Math.floor(totalmem() / 1024 / 1024);
  return {
    memoryMb: Math.max(256, Math.floor(machineMb * 0.75)),
    tasks: 8192,
    fileMb: 16_384,
    diskMb: 32_768,
    diskFiles: 2_000_000,
    openFiles: 65_536,
    cpuSeconds: 7200,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
}
