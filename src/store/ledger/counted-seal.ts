import type { Executor } from '../client.ts';
import { canonicalStorable } from '../json.ts';
import type { Row } from '../row.ts';
import { digestUnder, type LedgerKey, type LedgerKeys } from './ledger-keys.ts';
import type { Fragment } from './row-seal.ts';
import { byAnyKey } from './seals.ts';

/**
 * Rows that change are sealed under a key that the database doesn't have, anew with each change. The
 * seals of a row are counted and never removed, and the newest alone counts: neither a row of
 * somebody else's, nor another row's seal, nor a former one of its own stands for what it holds.
 */
export type CountedKind =
  | 'state'
  | 'workspace'
  | 'schedule'
  | 'trigger'
  | 'session'
  | 'usage'
  | 'finding'
  | 'delegate'
  | 'delivery'
  | 'baseline'
  | 'rule'
  | 'pin';

export type CountedSeal = Row<'row_seal', 'kind' | 'subject' | 'number' | 'seal'> & {
  readonly kind: CountedKind;
};

/** A row's newest seal; null = it has none. */
export type NewestSeal = Row<'row_seal', 'number' | 'seal'> | null;

/** A row that a seal covers. */
export interface Counted {
  readonly kind: CountedKind;
  /** Names the row among those of its kind. */
  readonly subject: string;
  readonly content: unknown;
  readonly sealed: NewestSeal;
}

/** The newest seal of the row that `subject` names, as JSON, in the snapshot of any statement. */
export const newestSeal = (sql: Executor, kind: CountedKind, subject: Fragment) => sql`
  (SELECT jsonb_build_object('number', newest.number, 'seal', newest.seal) FROM row_seal newest
    WHERE newest.kind = ${kind} AND newest.subject = ${subject}
    ORDER BY newest.number DESC LIMIT 1)`;

const sealOf = (key: LedgerKey, number: number, { kind, subject, content }: Counted): string =>
  digestUnder(key, (digest) =>
    digest.update(canonicalStorable(['row', kind, subject, number, content])),
  );

/** Without a key nothing is sealed, and every row counts. */
export function isCountedIntact(keys: LedgerKeys, row: Counted): boolean {
  if (keys.sealing === null) return true;
  if (row.sealed === null) return false;
  const { number, seal } = row.sealed;
  return byAnyKey(keys, (key) => sealOf(key, number, row)).includes(seal);
}

/** The largest that the column holds: behind it a row that somebody sealed so stays altered. */
const LAST = 2 ** 31 - 1;

/** The seal behind the newest one; null = there is no key, or no number left. */
export function nextSeal({ sealing }: LedgerKeys, row: Counted): CountedSeal | null {
  if (sealing === null) return null;
  const { kind, subject, sealed } = row;
  const number = (sealed?.number ?? 0) + 1;
  if (number > LAST) return null;
  return { kind, subject, number, seal: sealOf(sealing, number, row) };
}

/**
 * An expression of a `WITH`, with its comma in front: stores the seal if `from` has a row. Where
 * somebody took the seal's number, the statement fails; or it stores none, and the row counts no more.
 */
export const sealStored = (
  sql: Executor,
  row: CountedSeal | null,
  from: Fragment,
  ifTaken: 'fail' | 'leave' = 'fail',
) =>
  row === null
    ? sql``
    : sql`, seal_stored AS (
      INSERT INTO row_seal (kind, subject, number, seal)
      SELECT ${row.kind}, ${row.subject}, ${row.number}::int, ${row.seal} FROM ${from}
      ${ifTaken === 'leave' ? sql`ON CONFLICT DO NOTHING` : sql``}
    )`;
