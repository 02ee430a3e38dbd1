import { startRounds } from '../process/rounds.ts';
import type { Database } from './client.ts';

export interface DatabaseClock {
  /** Milliseconds since 1970 by the clock of the database. */
  now(): number;
  stop(): Promise<void>;
}

const EVERY_MS = 30_000;

/**
 * Tells the database's time without asking for it each time: its difference from the monotonic clock
 * is measured now and every half minute, so that a wall clock that jumps moves nothing. While the
 * database is away, the last difference holds.
 * @throws where the database can't be reached at first
 */
export async function followDatabaseClock(
  db: Database,
  monotonic: () => number = () => performance.now(),
  everyMs = EVERY_MS,
): Promise<DatabaseClock> {
  const measure = async (): Promise<number> => {
    const asked = monotonic();
    const [row] = await db<[{ now: string }]>`SELECT clock_timestamp() AS now`;
    return Date.parse(row.now) - (asked + monotonic()) / 2;
  };
  let difference = await measure();
  let isFirst = true;
  const rounds = startRounds(async () => {
    if (!isFirst) difference = await measure().catch(() => difference);
    isFirst = false;
    return false;
  }, everyMs);
  return { now: () => monotonic() + difference, stop: () => rounds.stop() };
}
