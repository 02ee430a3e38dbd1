import { isConflict } from '../api/problem.ts';
import type { Goal } from '../api/types.ts';

export type Followed =
  | { readonly kind: 'done'; readonly goal: Goal }
  | { readonly kind: 'changed'; readonly goal: Goal };

/** A running goal moves on by itself: such revisions are not a conflict, and are followed. */
const MOST_STEPS = 5;

/**
 * Sends an action for the revision that was seen. Where that is no longer the newest, it counts as
 * changed only if what the action rests on is another.
 */
export async function sendFollowed(options: {
  /** The state that the action rests on. */
  readonly base: Goal;
  readonly seen: Goal;
  readonly isSame: (before: Goal, now: Goal) => boolean;
  readonly send: (expectedRevision: number) => Promise<Goal>;
  readonly current: () => Promise<Goal>;
}): Promise<Followed> {
  let { seen } = options;
  for (let step = 1; ; step += 1) {
    if (!options.isSame(options.base, seen)) return { kind: 'changed', goal: seen };
    try {
      return { kind: 'done', goal: await options.send(seen.revision) };
    } catch (error) {
      if (!isConflict(error) || step === MOST_STEPS) throw error;
      seen = await options.current();
    }
  }
}
