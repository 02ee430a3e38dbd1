import type { Executor } from '../client.ts';
import type { Row } from '../row.ts';
import { type NewestSeal, newestSeal } from './counted-seal.ts';
import { type Columns, contentBy, countedTable, rowsOf, sealedAs } from './counted-table.ts';
import type { Fragment } from './row-seal.ts';

/**
 * A trigger acts by its owner's rights, until it is paused or deleted: one that comes back, or that
 * somebody else lets go on, takes no delivery.
 */
export const TRIGGER_COLUMNS: Columns<'inbound_trigger'> = {
  ...sealedAs(['trigger_id', 'name', 'kind', 'secret', 'secret_key', 'filter', 'parameters']),
  ...sealedAs(['action', 'most_per_hour', 'owner', 'owner_role', 'paused_by']),
  paused_at: 'iso',
  created_at: { free: 'is shown' },
  refused: { free: 'is shown' },
  last_refused: { free: 'is shown' },
  last_refused_at: { free: 'is shown' },
};

export type SealedTrigger = Row<'inbound_trigger', 'trigger_id'> & { readonly sealed: NewestSeal };

type Found = { readonly row: SealedTrigger };

const triggersOf = (sql: Executor, which: Fragment) => sql`
  SELECT to_jsonb(o) || jsonb_build_object('sealed',
    ${newestSeal(sql, 'trigger', sql`o.trigger_id`)}) AS row
  FROM inbound_trigger o WHERE ${which} ORDER BY o.trigger_id`;

export const triggers = countedTable<SealedTrigger>({
  kind: 'trigger',
  since: 9,
  subject: ({ trigger_id: id }) => id,
  content: contentBy(TRIGGER_COLUMNS),
  read: (tx) => rowsOf(tx<Found[]>`${triggersOf(tx, tx`true`)}`),
});

/** One of them, or none. */
export const readTrigger = (sql: Executor, triggerId: string): Promise<SealedTrigger[]> =>
  rowsOf(sql<Found[]>`${triggersOf(sql, sql`o.trigger_id = ${triggerId}`)}`);
