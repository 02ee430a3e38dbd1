import type { Database, Executor } from '../client.ts';
import { markOfDecided, readAlteredDecided } from './altered-decided.ts';
import {
  type AlteredRows,
  type CountsOfSeen,
  countsOfSeen,
  isAnyLate,
  lookBeyond,
  namesOf,
  nothing,
  type SeenRows,
} from './altered-written.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import type { DecidedKind } from './sealed-contents.ts';

/** What a statement about a goal reads for its watch. */
export interface Watched {
  readonly decided: string;
  readonly seen: CountsOfSeen;
}

/** What a process knows of a goal; `decided` is null before its first look. */
interface Known {
  readonly decided: string | null;
  readonly seen: SeenRows;
}

export interface RecordWatch {
  /** What its next look at a goal goes on from. */
  known(goalId: string): Known;
  /** What the service did not write, and what its seals don't vouch for. */
  judge(
    goalId: string,
    before: Known,
    watching: Promise<Watched | null>,
  ): Promise<readonly (DecidedKind | AlteredRows)[]>;
}

/** {@link Watched}, for a statement about the goal; null without a key. */
export const watched = (sql: Executor, keys: LedgerKeys, goalId: string, { seen }: Known) => sql`
  CASE WHEN ${keys.sealing !== null} THEN jsonb_build_object(
    'decided', ${markOfDecided(sql, goalId)}, 'seen', ${countsOfSeen(sql, goalId, seen)}) END`;

/** What is known of a goal takes some hundred bytes; the cap bounds a worker's memory over months. */
const MOST_GOALS = 10_000;

/**
 * Conversation, to-do list, requirements, plan, files and inbox of a goal count only as the service
 * wrote them, and decisions only as they were sealed: whoever writes to the database decides nothing.
 * Goals are looked at before each turn, gate and wait. A process compares each written row once, as
 * none ever changes, and decided ones where any was written since.
 */
export function createRecordWatch(db: Database, keys: LedgerKeys): RecordWatch {
  const all = new Map<string, Known>();
  return {
    known: (goalId) => all.get(goalId) ?? { decided: null, seen: nothing() },
    async judge(goalId, before, watching) {
      if (keys.sealing === null) return [];
      const [now, beyond] = await Promise.all([
        watching,
        lookBeyond(db, keys, goalId, before.seen),
      ]);
      if (now === null) return [];
      const isDecidedAnew = now.decided !== before.decided;
      const decided = isDecidedAnew ? await readAlteredDecided(db, keys, goalId) : [];
      // A row of the service's own may come late, too: its seal says so.
      const { altered, seen } = isAnyLate(now.seen, before.seen)
        ? await lookBeyond(db, keys, goalId, nothing())
        : beyond;
      const found = [...decided, ...namesOf(altered)];
      if (found.length > 0) return found;
      if (all.size >= MOST_GOALS) all.clear();
      all.set(goalId, { decided: now.decided, seen });
      return [];
    },
  };
}
