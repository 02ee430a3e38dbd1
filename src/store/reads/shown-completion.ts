import type { Executor } from '../client.ts';
import { OF_FACTS } from '../ledger/goal-facts.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { asStored } from '../ledger/sealed-from.ts';
import { contentDigest, isSealHolding, type SealRow } from '../ledger/seals.ts';
import type { Row } from '../row.ts';

type Columns = Row<
  'goal',
  'goal_id' | 'status' | 'pause' | 'activity' | 'completion' | 'updated_at'
> & {
  readonly completion_seal: SealRow | null;
};

/** The last seal of the completion of a goal `g` that says that it is complete, as JSON. */
export const completionSeal = (sql: Executor) => sql`
  CASE WHEN g.status = 'complete' THEN (
    SELECT to_jsonb(s) FROM seal s
    WHERE s.goal_id = g.goal_id AND s.kind = 'completion' AND s.subject = ${OF_FACTS}
    ORDER BY s.number DESC LIMIT 1) END AS completion_seal`;

/**
 * The row as it is shown: a goal that no seal calls complete is not shown so, whatever its row says.
 */
export function shownCompletion<Shown extends Columns>(keys: LedgerKeys, row: Shown): Shown {
  if (row.status !== 'complete' || keys.sealing === null || isOurs(keys, row)) return row;
  return { ...row, ...alteredShown(row, `The service did not complete ${row.goal_id}`) };
}

/** What is shown of a goal whose row is not the service's. */
export function alteredShown({ updated_at: since }: Pick<Columns, 'updated_at'>, why: string) {
  const message = `${why}: somebody changed the database. \`goalkeeper ledger verify\` shows it.`;
  return {
    status: 'paused',
    completion: null,
    pause: { reason: 'record_altered', message, missing: [], since },
    activity: { state: 'idle', reason: 'its record is not to be worked from', since, actor: 'You' },
  } as const satisfies Partial<Columns>;
}

function isOurs(keys: LedgerKeys, { completion, completion_seal: seal }: Columns): boolean {
  if (seal === null || seal.digest !== contentDigest(completion)) return false;
  return isSealHolding(keys, asStored(seal));
}
