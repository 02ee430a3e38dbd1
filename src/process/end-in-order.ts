import { setTimeout as sleep } from 'node:timers/promises';

const LEFT_OPEN_MS = 2000;
/** What is ended behind the last moment gets so long to begin. */
const BEGINS_WITHIN_MS = 100;

export interface Part {
  readonly name: string;
  readonly end: () => Promise<unknown>;
}

/**
 * Ends the parts of a process one behind the other, within a time for all of them: one that takes
 * longer, or fails, is told and left, so that the process ends whatever it waits for.
 */
export async function endInOrder(
  parts: readonly Part[],
  withinMs: number,
  tell: (name: string, error: unknown) => void,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (const { name, end } of parts) {
    const late = new AbortController();
    const patience = Math.max(BEGINS_WITHIN_MS, deadline - performance.now());
    const timer = sleep(patience, 'late', { signal: late.signal }).catch(() => 'ended');
    try {
      const first = await Promise.race([timer, end().then(() => 'ended')]);
      if (first === 'late') tell(name, new Error('it does not end'));
    } catch (error) {
      tell(name, error);
    } finally {
      late.abort();
    }
  }
}

/** A process that is over ends soon, whatever it left open, such as a line that nobody answers. */
export function endSoon(): void {
  setTimeout(() => process.exit(), LEFT_OPEN_MS).unref();
}
