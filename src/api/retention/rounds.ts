import type { FastifyInstance } from 'fastify';
import type { GoalAtRest } from '../../contract/removed-goals.ts';
import { startRounds } from '../../process/rounds.ts';
import type { Ports, ReadOwn } from '../application.ts';
import { archiveGoal, NotWhole } from './archive-goal.ts';

const EVERY_MS = 60 * 60_000;

interface Log {
  info(about: object, message: string): void;
  warn(about: object, message: string): void;
}

/** What a look needs, and what ends it between two goals. */
export interface RemovingGoals extends Ports<'removedGoals' | 'settings'> {
  readonly readOwn: ReadOwn;
  readonly log: Log;
  readonly signal?: AbortSignal;
}

/** Looks for goals that retention removes, at the start and once an hour. */
export function startGoalRetention(
  { readOwn }: Pick<FastifyInstance, 'readOwn'>,
  ports: Ports<'removedGoals' | 'settings'>,
  log: Log,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const rounds = startRounds(async () => {
    try {
      await removeOldGoals({ ...ports, readOwn, log, signal: stopping.signal });
    } catch (error) {
      log.warn({ err: error }, 'old goals could not be archived, and stay');
    }
    return false;
  }, EVERY_MS);
  return {
    stop() {
      stopping.abort();
      return rounds.stop();
    },
  };
}

/**
 * Archives and removes the goals that the operator's file keeps no longer, one by one. The archive is
 * on its disk before anything is removed, and the removal is one transaction: who dies in between
 * leaves a file beside a goal that is still there, and the next look writes it anew.
 * @returns how many there were
 */
export async function removeOldGoals(removing: RemovingGoals): Promise<number> {
  const { removedGoals, settings, signal } = removing;
  const kept = settings.rules().retention.goals;
  let removed = 0;
  for (let after: GoalAtRest | null = null; kept !== null; ) {
    const page: readonly GoalAtRest[] = await removedGoals.due(kept, after);
    for (const goal of page) {
      if (signal?.aborted === true) return removed;
      let isGone = false;
      const isMine = await removedGoals.withLock(async () => {
        isGone = await removeGoal(removing, goal, kept.archive);
      });
      // Another API process looks already.
      if (!isMine) return removed;
      if (isGone) removed += 1;
    }
    after = page.at(-1) ?? null;
    if (after === null) break;
  }
  return removed;
}

async function removeGoal(
  { removedGoals, settings, readOwn, log }: RemovingGoals,
  goal: GoalAtRest,
  folder: string,
): Promise<boolean> {
  const { goalId, status, days } = goal;
  try {
    const archive = await archiveGoal(readOwn, goal, folder, settings.version);
    const why = await removedGoals.remove(goal, archive);
    if (why === null)
      log.info({ goalId, status, days, archive }, 'a goal was archived and removed');
    else log.warn({ goalId, why }, 'a goal was archived, and stays');
    return why === null;
  } catch (error) {
    if (!(error instanceof NotWhole)) throw error;
    log.warn({ goalId, why: error.message }, 'a goal can not be archived, and stays');
    return false;
  }
}
