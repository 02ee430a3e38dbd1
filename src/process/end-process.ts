import { setTimeout as delay } from 'node:timers/promises';
import type { LocalProcess } from '../contract/process-identity.ts';
import { isRunning } from './process-identity.ts';

/**
 * Ends a process that need not be our child and waits until it is gone.
 * @param signals tried one after the other, `graceMs` each.
 */
export async function endProcess(
  target: LocalProcess,
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

async function isGoneWithin(target: LocalProcess, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isRunning(target)) {
    if (Date.now() > deadline) return false;
    await delay(25);
  }
  return true;
}

/** A process that is gone, or another one of its number, hears nothing. */
export function signalProcess(target: LocalProcess, signal: NodeJS.Signals): void {
  if (isRunning(target)) send(target.pid, signal);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
