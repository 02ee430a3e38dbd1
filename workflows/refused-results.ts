import { type ActivityOptions, patched, sleep } from '@temporalio/workflow';
import { PACED_REFUSALS } from './patches.ts';

/** Askings of one activity, after which a refused result ends the execution: a quarter of a minute in all. */
const MOST_ASKINGS = 8;
const FIRST_PAUSE_MS = 100;

/** How often this activity's result was refused before. */
const REFUSED = Symbol('refused');

interface Asked extends ActivityOptions {
  readonly [REFUSED]?: number;
}

/**
 * With what an activity is asked again whose result was refused, after a pause that doubles; null =
 * not again. Whoever gives such results, a worker with another codec or somebody at Temporal's port,
 * would otherwise fill the history.
 */
export async function askingAgain(options: Asked): Promise<ActivityOptions | null> {
  if (!patched(PACED_REFUSALS)) return options;
  const refused = options[REFUSED] ?? 0;
  if (refused + 1 >= MOST_ASKINGS) return null;
  await sleep(FIRST_PAUSE_MS * 2 ** refused);
  return { ...options, [REFUSED]: refused + 1 } as Asked;
}
