import type { Database, Transaction } from '../client.ts';
import type { Row } from '../row.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import { readSealedContents } from './sealed-contents.ts';
import {
  byAnyKey,
  contentDigest,
  endSeal,
  firstEnd,
  ledgerSeal,
  type SealEnd,
  sealingSeal,
} from './seals.ts';
import { type SealPlace, sealBeginning, storeSeals } from './store-seals.ts';

type Placed = Row<'journal', 'goal_id' | 'ledger_seq' | 'ledger_head'>;

/**
 * Seals all that stands in a database when the first process with a key comes to it: later on, what
 * has no seal is no row from before the key. This happens once.
 * @returns `lost` when the database has seals and no valid note of this: nothing is sealed then
 */
export async function beginSealing(
  db: Database,
  keys: LedgerKeys,
): Promise<'no_key' | 'begun' | 'known' | 'lost'> {
  if (keys.sealing === null) return 'no_key';
  const known = await lookForStart(db, keys);
  if (known !== 'none') return known;
  return await db.begin(async (tx) => {
    // Waits for all appends, and keeps others away: each goal has a seal afterwards.
    await tx.unsafe('LOCK TABLE journal IN SHARE ROW EXCLUSIVE MODE');
    const meanwhile = await lookForStart(tx, keys);
    return meanwhile === 'none' ? await sealAll(tx, keys) : meanwhile;
  });
}

async function lookForStart(
  sql: Database | Transaction,
  keys: LedgerKeys,
): Promise<'none' | 'known' | 'lost'> {
  const rows = await sql<Row<'sealing', 'started_at' | 'goals' | 'hash'>[]>`
    SELECT started_at, goals, hash FROM sealing`;
  const isMade = rows.some(({ started_at: at, goals, hash }) =>
    byAnyKey(keys, (key) => sealingSeal(key, at, goals)).includes(hash),
  );
  if (isMade) return 'known';
  const seals = await sql`
    SELECT 1 FROM seal UNION ALL SELECT 1 FROM journal
    WHERE ledger_seal IS NOT NULL OR seal_end IS NOT NULL LIMIT 1`;
  return rows.length === 0 && seals.count === 0 ? 'none' : 'lost';
}

async function sealAll(tx: Transaction, keys: LedgerKeys): Promise<'begun'> {
  const at = new Date().toISOString();
  const goals = await tx<Placed[]>`SELECT goal_id, ledger_seq, ledger_head FROM journal`;
  for (const goal of goals) await sealGoal(tx, keys, goal, at);
  const { sealing } = keys;
  if (sealing !== null) {
    await tx`
      INSERT INTO sealing (started_at, goals, hash)
      VALUES (${at}, ${goals.length}, ${sealingSeal(sealing, at, goals.length)})`;
  }
  return 'begun';
}

async function sealGoal(
  tx: Transaction,
  keys: LedgerKeys,
  { goal_id: goalId, ledger_seq: seq, ledger_head: hash }: Placed,
  at: string,
): Promise<void> {
  const { sealing } = keys;
  if (sealing === null) return;
  await sealBeginning(tx, keys, goalId);
  const end: SealEnd = firstEnd(goalId);
  const begun = await tx`
    UPDATE journal SET ledger_seal = ${ledgerSeal(sealing, goalId, { seq, hash })},
      seal_head = ${end.hash}, seal_end = ${endSeal(sealing, goalId, end)}
    WHERE goal_id = ${goalId} AND ledger_seal IS NULL`;
  if (begun.count === 0) return;
  const place: SealPlace = { goalId, end, ledger: { seq, hash }, at };
  const start = { kind: 'start', subject: '', digest: contentDigest({ seq, hash }) } as const;
  const contents = await readSealedContents(tx, goalId);
  await storeSeals(tx, keys, place, [start, ...contents]);
}
