import type { Database, Transaction } from './client.ts';

const PULSE_MS = 10_000;

export interface HeldLock {
  /** The transaction that has the lock: what it writes is there only if the lock was held until its end. */
  readonly tx: Transaction;
  /** Aborts once the lock is lost: another process may have it. */
  readonly signal: AbortSignal;
}

/**
 * Works while this process alone has the lock of that name. A transaction holds it, so it ends with
 * the connection of a process that died; the transaction says something every ten seconds, so that
 * neither side takes the other for gone, and a lock that is lost is noticed. Nothing of `work` goes on
 * behind the return.
 *
 * @returns false where another process has the lock; `work` then didn't run
 */
export async function withHeldLock(
  db: Database,
  name: string,
  work: (held: HeldLock) => Promise<void>,
  pulseMs = PULSE_MS,
): Promise<boolean> {
  const lost = new AbortController();
  let working: Promise<void> = Promise.resolve();
  try {
    return (await db.begin(async (tx) => {
      const [lock] = await tx<[{ isMine: boolean }]>`
        SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS "isMine"`;
      if (!lock.isMine) return false;
      const pulse = setInterval(() => void tx`SELECT 1`.catch(() => lost.abort()), pulseMs);
      working = work({ tx, signal: lost.signal }).finally(() => clearInterval(pulse));
      await working;
      return true;
    })) as boolean;
  } catch (error) {
    lost.abort();
    await working.catch(() => {});
    throw error;
  }
}
