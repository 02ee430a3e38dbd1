import type { Executor } from '../client.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import type { Fragment } from './row-seal.ts';
import { isSealHolding, type SealRow } from './seals.ts';

/** A goal's first seal, by which its rows of the ledger from before are told. */
export interface Started {
  readonly start: SealRow | null;
}

/** As JSON, in the snapshot of any statement. */
export const startSeal = (sql: Executor, goalId: Fragment) => sql`
  (SELECT to_jsonb(s) FROM seal s WHERE s.goal_id = ${goalId} AND s.kind = 'start'
    ORDER BY s.number LIMIT 1)`;

/** As the driver gives it: in JSON a time has another spelling. */
export const asStored = (seal: SealRow): SealRow => ({
  ...seal,
  at: new Date(seal.at).toISOString(),
});

/** The last row that stood there before the goal's seals began: a seal that nobody made says nothing. */
export const sealedFrom = (keys: LedgerKeys, start: SealRow | null): number =>
  start !== null && isSealHolding(keys, asStored(start)) ? start.ledger_seq : 0;
