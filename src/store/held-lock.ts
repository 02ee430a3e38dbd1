import type { Database, Transaction } from './client.ts';

const PULSE_MS = 10_000;

/**
 * Works while this process alone has the lock of that name. A transaction holds it, so it ends with
 * the connection of a process that died; the transaction says something every ten seconds, so that
 * neither side takes the other for gone. What `work` writes by it is there only if the lock was held
 * until its end, and nothing of `work` goes on behind the return.
 *
 * @returns false where another process has the lock; `work` then didn't run
 */
export async function withHeldLock(
  db: Database,
  name: string,
  work: (tx: Transaction) => Promise<void>,
  pulseMs = PULSE_MS,
): Promise<boolean> {
  let working: Promise<void> = Promise.resolve();
  try {
    return (await db.begin(async (tx) => {
      const [lock] = await tx<[{ isMine: boolean }]>`
        SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS "isMine"`;
      if (!lock.isMine) return false;
      const pulse = setInterval(() => void tx`SELECT 1`.catch(() => {}), pulseMs);
      working = work(tx).finally(() => clearInterval(pulse));
      await working;
      return true;
    })) as boolean;
  } catch (error) {
    await working.catch(() => {});
    throw error;
  }
}
