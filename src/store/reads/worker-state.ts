import type { WorkerState } from '../../../schema/operations.ts';

/** Three missed heartbeats. */
export const GONE_AFTER_MS = 15_000;

export function workerState(
  worker: { readonly seenAt: string; readonly isDraining: boolean },
  now: number,
): WorkerState {
  if (now - Date.parse(worker.seenAt) >= GONE_AFTER_MS) return 'lost';
  return worker.isDraining ? 'draining' : 'up';
}
