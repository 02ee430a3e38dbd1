import type { Database, Executor, Transaction } from '../client.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import { type DecidedKind, readDecided } from './sealed-contents.ts';
import { isSealHolding, type Sealed, type SealRow } from './seals.ts';

/** Another one as soon as any of the rows is another: nobody chooses the transaction that wrote it. */
export const markOfDecided = (sql: Executor, goalId: string) => sql`
  md5(concat_ws('/',
    (SELECT string_agg(xmin::text, ',' ORDER BY ctid) FROM approval WHERE goal_id = ${goalId}),
    (SELECT string_agg(xmin::text, ',' ORDER BY ctid) FROM question WHERE goal_id = ${goalId}),
    (SELECT string_agg(xmin::text, ',' ORDER BY ctid) FROM dispute WHERE goal_id = ${goalId}),
    (SELECT string_agg(xmin::text, ',' ORDER BY ctid) FROM inbox WHERE goal_id = ${goalId}),
    (SELECT string_agg(xmin::text, ',' ORDER BY ctid) FROM goal_order WHERE goal_id = ${goalId}),
    (SELECT string_agg(xmin::text, ',' ORDER BY ctid) FROM requirement_list
      WHERE goal_id = ${goalId})))`;

/** The kinds of a goal's decided rows that its seals don't vouch for, at one moment. */
export async function readAlteredDecided(
  db: Database,
  keys: LedgerKeys,
  goalId: string,
): Promise<readonly DecidedKind[]> {
  return await atOnce(db, (tx) => alteredAtOnce(tx, keys, goalId));
}

const atOnce = async <Found>(
  db: Database,
  read: (tx: Transaction) => Promise<Found>,
): Promise<Found> => (await db.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', read)) as Found;

/** In the snapshot of a transaction: what was decided has its seal, and no seal lacks its row. */
async function alteredAtOnce(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
): Promise<readonly DecidedKind[]> {
  const decided = await readDecided(tx, goalId, 'all');
  const rows = await tx<SealRow[]>`
    SELECT DISTINCT ON (kind, subject) goal_id, number, kind, subject, digest, ledger_seq,
      ledger_head, at, previous, hash
    FROM seal WHERE goal_id = ${goalId} ORDER BY kind, subject, number DESC`;
  const held = rows.filter((row) => isSealHolding(keys, row));
  const sealed = new Map(held.map((row) => [nameOf(row), row.digest]));
  const altered = decided.filter((one) => sealed.get(nameOf(one)) !== one.digest);
  const standing = new Set(decided.map(nameOf));
  const undone = held.filter((row) => STAYS.has(row.kind) && !standing.has(nameOf(row)));
  return [...new Set([...altered, ...undone].map(({ kind }) => kind as DecidedKind))];
}

/** A decision stays decided. Orders go once they are old. */
const STAYS: ReadonlySet<string> = new Set(['approval', 'answer', 'dispute', 'message']);

/** What is read of decisions, and the kinds of them that their seals don't vouch for, at one moment. */
export async function readWithSeals<Found>(
  db: Database,
  keys: LedgerKeys,
  goalId: string,
  read: (sql: Executor) => Promise<Found>,
): Promise<{ readonly found: Found; readonly altered: readonly DecidedKind[] }> {
  if (keys.sealing === null) return { found: await read(db), altered: [] };
  return await atOnce(db, async (tx) => ({
    found: await read(tx),
    altered: await alteredAtOnce(tx, keys, goalId),
  }));
}

const nameOf = ({ kind, subject }: Pick<Sealed, 'kind' | 'subject'>): string =>
  `${kind} ${subject}`;
