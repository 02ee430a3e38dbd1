import type { Database } from '../client.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import { addToSecurityLog } from './security-entries.ts';

/** The same row is told of once in this time: it may be asked for again and again. */
const AGAIN_MS = 60_000;
const MOST_TOLD = 1000;

/** Tells the security log of a row whose seal is none of the service's. */
export type TellRefused = (
  subject: string,
  data: Readonly<Record<string, unknown>>,
) => Promise<void>;

/** For what asks on and on: each subject is told of once. */
export function tellingOnce(db: Database, keys: LedgerKeys): TellRefused {
  const told = new Set<string>();
  const tell = refusedTeller(db, keys);
  return async (subject, data) => {
    if (told.has(subject)) return;
    told.add(subject);
    await tell(subject, data);
  };
}

export function refusedTeller(db: Database, keys: LedgerKeys): TellRefused {
  const told = new Map<string, number>();
  return async (subject, data) => {
    const now = performance.now();
    if (now - (told.get(subject) ?? -AGAIN_MS) < AGAIN_MS) return;
    if (told.size >= MOST_TOLD) told.clear();
    told.set(subject, now);
    await addToSecurityLog(db, keys, {
      ...{ who: null, role: null, address: null, what: 'record_refused' },
      ...{ subject, result: 'refused', data },
    });
  };
}
