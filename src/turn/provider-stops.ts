import { setTimeout as sleep } from 'node:timers/promises';
import type { SliceStop } from '../contract/slice-stop.ts';
import type { ProviderTrouble } from '../contract/turn-facts.ts';
import type { SliceRun } from './slice-run.ts';

export const stoppedBy = ({ ports }: SliceRun): SliceStop => ({
  end: ports.stopping.aborted ? 'shutdown' : 'interrupted',
});

/** Ends the slice with the provider's error; the workflow decides what follows. */
export function providerError(run: SliceRun, model: string, trouble: ProviderTrouble): SliceStop {
  const isFallback = model !== run.brief.model;
  const message = isFallback ? `fallback ${model}: ${trouble.message}` : trouble.message;
  const told = { ...trouble, message: message.slice(0, 500) };
  return { end: 'provider_error', provider: told, detail: told.message };
}

/** Waits between two retries; the time isn't active time. */
export async function waitShortly(run: SliceRun, seconds: number): Promise<SliceStop | 'retry'> {
  const before = run.ports.clock();
  await sleep(seconds * 1000, undefined, { signal: run.signal }).catch(() => {});
  run.sleptMs += run.ports.clock() - before;
  return run.signal.aborted ? stoppedBy(run) : 'retry';
}
