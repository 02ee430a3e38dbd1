import type { WrittenArchive } from '../../contract/removed-goals.ts';
import type { Executor } from '../client.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import { isOwnEntry, type SecurityRow } from './security-chain.ts';

export const GOAL_REMOVED = 'goal_removed';

/** What the security log says of a goal that retention removed; the head is that of its record. */
export interface Removal {
  readonly archive: WrittenArchive;
  readonly head: {
    readonly seq: number;
    readonly head: string;
    readonly seals: number;
    readonly sealHead: string | null;
  };
}

/** By goal, the first such entry that the service itself wrote: with a key, one that its seal holds. */
export async function readRemovals(
  sql: Executor,
  keys: LedgerKeys,
  goalIds: readonly string[],
): Promise<ReadonlyMap<string, Removal>> {
  if (goalIds.length === 0) return new Map();
  const rows = await sql<SecurityRow[]>`
    SELECT seq, at, who, role, address, what, subject, result, data, number, previous, hash
    FROM security_log WHERE subject IN ${sql([...goalIds])} AND what = ${GOAL_REMOVED}
    ORDER BY seq DESC`;
  const own = rows.filter((row) => isOwnEntry(keys, row));
  return new Map(own.map((row) => [row.subject ?? '', row.data as unknown as Removal]));
}
