import type { Logger } from 'pino';
import type { SecurityPort } from '../contract/security.ts';
import type { TellRefusal } from './payload-codec.ts';

/** A flood of the same is told once a minute. */
const QUIET_MS = 60_000;
const MOST_REMEMBERED = 1000;
const LONGEST_NAME = 100;
const LONGEST_ID = 200;

/**
 * Tells the log, the security log and the goals' records in the order of what happened; nobody waits
 * for it.
 */
export function tellRefusals({
  security,
  log,
}: {
  readonly security: SecurityPort;
  readonly log: Logger;
}): TellRefusal {
  const toldAt = new Map<string, number>();
  let recorded = Promise.resolve();
  return ({ workflowId, ...refusal }) => {
    const goalId = goalOf(workflowId);
    // Whoever starts what is no goal's gives it another id each time.
    const about = goalId === null ? kindOf(workflowId) : workflowId;
    const key = JSON.stringify([about, refusal.what, refusal.why]);
    if (Date.now() - (toldAt.get(key) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
    if (toldAt.size >= MOST_REMEMBERED) toldAt.clear();
    toldAt.set(key, Date.now());
    const told = { ...refusal, name: refusal.name.slice(0, LONGEST_NAME) };
    const named = { workflowId: workflowId.slice(0, LONGEST_ID), ...told };
    log.warn(named, 'refused what Temporal was told');
    recorded = recorded
      .then(() => security.refused(goalId, named))
      .catch((error: Error) => {
        log.warn({ err: error, goalId }, 'what was refused could not be recorded');
      });
  };
}

const goalOf = (workflowId: string): string | null =>
  /^goal:(.+):\d+$/.exec(workflowId)?.[1] ?? null;

/** Of the ids that the service gives (names.ts); any other is one kind. */
const kindOf = (workflowId: string): string =>
  /^(check|apply|schedule):/.exec(workflowId)?.[1] ?? 'another';
