import type { NewSecurityEntry } from '../../contract/security-log.ts';
import type { Database, Transaction } from '../client.ts';
import { storable, storableText } from '../json.ts';
import type { Row } from '../row.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import { byAnyKey } from './seals.ts';
import { chainEntryOf, formerDigest, type SecurityRow, securitySeal } from './security-chain.ts';

/** Callers choose paths and names, so a flood of long ones is cut. */
const LONGEST = 300;

/** One entry behind the other: the end is locked, which also tells them apart in time. */
export const addToSecurityLog = (
  db: Database,
  keys: LedgerKeys,
  entry: NewSecurityEntry,
): Promise<void> => db.begin((tx) => appendToSecurityLog(tx, keys, entry)) as Promise<void>;

/** As the last statement: the log's end stays locked until the transaction ends. */
export const appendToSecurityLog = (
  tx: Transaction,
  keys: LedgerKeys,
  entry: NewSecurityEntry,
): Promise<void> => append(tx, keys, entry, 'kept');

/** Begins the seals of the log with an entry that says what stood there before it was a chain. */
export async function sealSecurityLog(tx: Transaction, keys: LedgerKeys): Promise<void> {
  const former = formerDigest();
  for await (const rows of formerRows(tx)) for (const row of rows) former.add(row);
  await append(
    tx,
    keys,
    {
      ...{ who: null, role: null, address: null, what: 'log_sealed' },
      ...{ subject: null, result: 'done', data: former.end() },
    },
    'begun',
  );
}

type Head = Row<'security_head', 'number' | 'hash' | 'seal'>;

/** `kept`: an end whose own seal doesn't hold is not sealed again. */
async function append(
  tx: Transaction,
  { sealing, ...keys }: LedgerKeys,
  entry: NewSecurityEntry,
  seal: 'kept' | 'begun',
): Promise<void> {
  // Entries that somebody added behind the end keep none from being told: verify finds them.
  const [end] = await tx<[Head & { readonly taken: number }]>`
    SELECT h.number, h.hash, h.seal, coalesce((SELECT l.number FROM security_log l
      WHERE l.number > h.number
        AND EXISTS (SELECT 1 FROM security_log f WHERE f.number = h.number + 1)
        AND NOT EXISTS (SELECT 1 FROM security_log n WHERE n.number = l.number + 1)
      ORDER BY l.number LIMIT 1), h.number) AS taken
    FROM security_head h FOR UPDATE OF h`;
  const { who, role, address, what, result } = entry;
  const subject = entry.subject === null ? null : storableText(entry.subject.slice(0, LONGEST));
  const row = {
    at: new Date().toISOString(),
    ...{ who, role, address, what, subject, result },
    data: storable(entry.data),
  };
  const place = chainEntryOf(sealing, { ...end, number: end.taken }, row);
  const isSealed =
    seal === 'begun' ||
    byAnyKey({ sealing, ...keys }, (key) => securitySeal(key, end)).includes(end.seal ?? '');
  await tx`INSERT INTO security_log ${tx({ ...row, data: tx.json(row.data), ...place })}`;
  await tx`
    UPDATE security_head SET number = ${place.number}, hash = ${place.hash},
      seal = ${sealing !== null && isSealed ? securitySeal(sealing, place) : null}`;
}

const BATCH = 500;

const formerRows = (tx: Transaction) =>
  pages(
    (after) => tx<SecurityRow[]>`
    SELECT seq, at, who, role, address, what, subject, result, data, number, previous, hash
    FROM security_log WHERE number IS NULL AND seq > ${after} ORDER BY seq LIMIT ${BATCH}`,
  );

/** All entries, those from before the chain first. */
export async function* readEntries(tx: Transaction) {
  yield* formerRows(tx);
  yield* pages(
    (after) => tx<SecurityRow[]>`
    SELECT seq, at, who, role, address, what, subject, result, data, number, previous, hash
    FROM security_log WHERE number > ${after} ORDER BY number LIMIT ${BATCH}`,
  );
}

async function* pages(read: (after: number) => PromiseLike<readonly SecurityRow[]>) {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rows: readonly SecurityRow[] = await read(after);
    yield rows;
    const last: SecurityRow | undefined = rows.length === BATCH ? rows.at(-1) : undefined;
    after = last === undefined ? undefined : (last.number ?? last.seq);
  }
}
