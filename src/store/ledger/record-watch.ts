import type { Database, Executor } from '../client.ts';
import { markOfDecided, readAlteredDecided } from './altered-decided.ts';
import {
  type AlteredRows,
  areAll,
  type CountsOfSeen,
  countsOfSeen,
  type FoundRows,
  firstBeyond,
  isAnyLate,
  type Looked,
  lookBeyond,
  lookedAt,
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
  /** Null before the first look, which may have any number of rows to compare. */
  readonly beyond: FoundRows | null;
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
    now: Watched | null,
  ): Promise<readonly (DecidedKind | AlteredRows)[]>;
}

/** {@link Watched}, for a statement about the goal; null without a key. */
export const watched = (
  sql: Executor,
  keys: LedgerKeys,
  goalId: string,
  { decided, seen }: Known,
) => sql`
  CASE WHEN ${keys.sealing !== null} THEN jsonb_build_object(
    'decided', ${markOfDecided(sql, goalId)}, 'seen', ${countsOfSeen(sql, goalId, seen)},
    'beyond', ${decided === null ? sql`NULL` : firstBeyond(sql, goalId, seen)}) END`;

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

  async function lookOn(goalId: string, before: Known, { seen, beyond }: Watched): Promise<Looked> {
    // A row of the service's own may come late, too: its seal says so.
    if (isAnyLate(seen, before.seen)) return await lookBeyond(db, keys, goalId, nothing());
    if (beyond === null || !areAll(beyond)) return await lookBeyond(db, keys, goalId, before.seen);
    return lookedAt(keys, { altered: [], seen: before.seen }, beyond);
  }

  return {
    known: (goalId) => all.get(goalId) ?? { decided: null, seen: nothing() },
    async judge(goalId, before, now) {
      if (keys.sealing === null || now === null) return [];
      const isDecidedAnew = now.decided !== before.decided;
      const decided = isDecidedAnew ? await readAlteredDecided(db, keys, goalId) : [];
      const { altered, seen } = await lookOn(goalId, before, now);
      const found = [...decided, ...namesOf(altered)];
      if (found.length > 0) return found;
      if (all.size >= MOST_GOALS) all.clear();
      all.set(goalId, { decided: now.decided, seen });
      return [];
    },
  };
}
