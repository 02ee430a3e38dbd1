import { setTimeout as sleep } from 'node:timers/promises';
import { assertNamespace, TemporalNotReady } from '../temporal/assert-namespace.ts';
import type { TemporalAddress } from '../temporal/connection.ts';
import { MigrationError, type SchemaProblem } from './migration-error.ts';
import { assertMigrated, missingIn } from './migrations.ts';

/** What a process needs isn't there, and won't come by waiting longer. */
export class NotReady extends Error {
  readonly wayOut: string;
  /** Nothing answers: a later try may succeed without anybody's doing. */
  readonly isAway: boolean;

  constructor(what: string, wayOut: string, isAway: boolean, cause: unknown) {
    super(what, { cause });
    this.name = 'NotReady';
    this.wayOut = wayOut;
    this.isAway = isAway;
  }
}

export interface Patience {
  readonly seconds: number;
  /** Told whenever what is waited for is another thing. */
  readonly onWait: (what: string) => void;
  /** Ends the wait: the process was told to stop. */
  readonly signal?: AbortSignal;
}

const PAUSE_MS = 500;

/**
 * Waits until the database has this version's schema and Temporal has the namespace.
 * @returns false when the signal ended the wait
 * @throws NotReady after the patience, or at once when waiting is of no use; MigrationError
 */
export async function waitForServers(
  { databaseUrl, temporal }: { databaseUrl: string; temporal: TemporalAddress },
  patience: Patience,
): Promise<boolean> {
  const deadline = Date.now() + patience.seconds * 1000;
  return (
    (await untilReady(() => assertMigrated(databaseUrl), patience, deadline)) &&
    (await untilReady(() => assertNamespace(temporal), patience, deadline))
  );
}

/**
 * For `goalkeeper migrate`, which makes the rest itself.
 * @throws NotReady after the patience; MigrationError where the server answers that it can't be
 */
export async function untilDatabaseAnswers(
  databaseUrl: string,
  patience: Patience,
): Promise<boolean> {
  const deadline = Date.now() + patience.seconds * 1000;
  const look = async () => void (await missingIn(databaseUrl));
  return await untilReady(look, patience, deadline, ['away']);
}

async function untilReady(
  look: () => Promise<void>,
  { seconds, onWait, signal }: Patience,
  deadline: number,
  passing: readonly SchemaProblem[] = ['away', 'refused', 'pending'],
): Promise<boolean> {
  let told = '';
  for (;;) {
    if (signal?.aborted) return false;
    try {
      await look();
      return true;
    } catch (error) {
      const { what, wayOut, isAway } = judged(error, passing);
      if (Date.now() >= deadline) {
        const waited = seconds > 0 ? ` (waited ${seconds} s)` : '';
        throw new NotReady(`${what}${waited}`, wayOut, isAway, error);
      }
      if (what !== told) onWait(what);
      told = what;
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
  }
}

interface Awaited {
  readonly what: string;
  readonly wayOut: string;
  readonly isAway: boolean;
}

/** @throws what only a person ends */
function judged(error: unknown, passing: readonly SchemaProblem[]): Awaited {
  if (error instanceof TemporalNotReady) {
    const { message: what, wayOut, isAway } = error;
    return { what, wayOut, isAway };
  }
  if (!(error instanceof MigrationError) || !passing.includes(error.problem)) throw error;
  const { message: what, problem } = error;
  return { what, wayOut: 'Correct that and start again.', isAway: problem === 'away' };
}
