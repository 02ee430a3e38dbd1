import type { FastifyInstance } from 'fastify';
import type { GoalAtRest, WrittenArchive } from '../../contract/removed-goals.ts';
import type { GoalRetention } from '../../contract/service-rules.ts';
import { startRounds } from '../../process/rounds.ts';
import { DatabaseUnavailable } from '../../store/client.ts';
import type { Ports, ReadOwn } from '../application.ts';
import { assertArchiveFolder } from './archive-folder.ts';
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
 * leaves a file beside a goal that is still there, and the next look writes it anew. A goal that fails
 * keeps no other one from its turn.
 * @returns how many there were
 * @throws NoArchiveFolder, DatabaseUnavailable
 */
export async function removeOldGoals(removing: RemovingGoals): Promise<number> {
  const { removedGoals, settings, signal } = removing;
  const kept = settings.rules().retention.goals;
  let removed = 0;
  for (let after: GoalAtRest | null = null; kept !== null; ) {
    const page: readonly GoalAtRest[] = await removedGoals.due(kept, after);
    for (const goal of page) {
      if (signal?.aborted === true) return removed;
      await assertArchiveFolder(kept.archive);
      const end = await removeAlone(removing, goal, kept.archive);
      // Another API process looks already.
      if (end === 'others look') return removed;
      if (end === 'gone') removed += 1;
    }
    after = page.at(-1) ?? null;
    if (after === null) break;
  }
  if (kept !== null) await tellStaying(removing, kept);
  // A request that was stored while its goal went is seen by the next look at the latest.
  await removedGoals.emptyRequests();
  return removed;
}

async function tellStaying({ removedGoals, log }: RemovingGoals, kept: GoalRetention) {
  for (const { why, goals, goalIds } of await removedGoals.staying(kept))
    log.info({ why, goals, goalIds }, 'old goals stay');
}

/** It is removed once the lock's transaction is over, and not before. */
async function removeAlone(
  { removedGoals, settings, readOwn, log }: RemovingGoals,
  goal: GoalAtRest,
  folder: string,
): Promise<'gone' | 'stays' | 'others look'> {
  const { goalId, status, days } = goal;
  let archive: WrittenArchive | null = null;
  let why: string | null = null;
  try {
    const isMine = await removedGoals.withLock(async (remove) => {
      archive = await archiveGoal(readOwn, goal, folder, settings.version);
      why = await remove(goal, archive);
    });
    if (!isMine) return 'others look';
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    if (error instanceof NotWhole)
      log.warn({ goalId, why: error.message }, 'a goal can not be archived, and stays');
    else log.warn({ goalId, err: error }, 'a goal could not be archived and removed, and stays');
    return 'stays';
  }
  if (why === null) log.info({ goalId, status, days, archive }, 'a goal was archived and removed');
  else log.warn({ goalId, why }, 'a goal was archived, and stays');
  return why === null ? 'gone' : 'stays';
}
