import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceAnswer } from './call-service.ts';
import type { Patience } from './offered-tools.ts';

const LOOK_MS = 1000;

/** Asks for a goal until it has news, nobody drives it, or the time is over. */
export async function untilNews(
  ask: () => Promise<ServiceAnswer>,
  { seconds, revision }: Patience,
  signal: AbortSignal,
): Promise<ServiceAnswer> {
  const until = Date.now() + seconds * 1000;
  let known = revision;
  for (;;) {
    const answer = await ask();
    const goal = answer.body as { readonly revision?: number; readonly status?: string };
    known ??= goal.revision ?? null;
    const isNews = !answer.isOk || goal.status !== 'active' || goal.revision !== known;
    const left = until - Date.now();
    if (isNews || left <= 0 || signal.aborted) return answer;
    await pause(Math.min(LOOK_MS, left), undefined, { signal }).catch(() => {});
  }
}
