import type { SealKind } from '../../../schema/ledger.ts';
import type { Database, Transaction } from '../client.ts';
import type { Row } from '../row.ts';
import type { ChainHead } from './ledger-chain.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import { readSealedContents } from './sealed-contents.ts';
import { hasSealedRowsBeyond, SEALED_KINDS } from './sealed-rows.ts';
import {
  byAnyKey,
  COVERED,
  COVERED_SINCE,
  contentDigest,
  endSeal,
  firstEnd,
  GOALS_SINCE,
  ledgerSeal,
  type SealEnd,
  type Sealed,
  sealingSeal,
} from './seals.ts';
import { sealSecurityLog } from './security-entries.ts';
import { type SealPlace, sealBeginning, storeSeals } from './store-seals.ts';

type Placed = Row<
  'journal',
  'goal_id' | 'ledger_seq' | 'ledger_head' | 'seals' | 'seal_head' | 'ledger_seal' | 'seal_end'
>;

/**
 * Seals all that stands in a database when the first process comes to it that has a key, or whose
 * seals cover more: later on, what has no seal is no row from before. This happens once each, for
 * what was not covered before.
 * @returns `lost` when the database has seals and no valid note of this: nothing is sealed then
 */
export async function beginSealing(
  db: Database,
  keys: LedgerKeys,
): Promise<'no_key' | 'begun' | 'known' | 'lost'> {
  if (keys.sealing === null) return 'no_key';
  const known = await lookForStart(db, keys);
  if (known === COVERED) {
    for (const { renew } of SEALED_KINDS)
      if (renew !== undefined) await db.begin((tx) => renew(tx, keys));
    return 'known';
  }
  return await db.begin(async (tx) => {
    // Waits for all appends, and keeps others away: each goal has a seal afterwards. What looked lost
    // may have been begun by another process between the two halves of the look.
    await tx.unsafe('LOCK TABLE journal IN SHARE ROW EXCLUSIVE MODE');
    const meanwhile = await lookForStart(tx, keys);
    if (meanwhile === 'lost') return meanwhile;
    if (meanwhile === COVERED) return 'known';
    return await sealAll(tx, keys, meanwhile);
  });
}

/** @returns what the seals cover; 0 = there are none. Nothing beyond that may have a seal. */
async function lookForStart(
  sql: Database | Transaction,
  keys: LedgerKeys,
): Promise<number | 'lost'> {
  const rows = await sql<Row<'sealing', 'started_at' | 'goals' | 'hash' | 'covers'>[]>`
    SELECT started_at, goals, hash, covers FROM sealing`;
  const valid = rows.filter(({ started_at: at, goals, hash, covers }) =>
    byAnyKey(keys, (key) => sealingSeal(key, at, goals, covers)).includes(hash),
  );
  const covered = Math.max(0, ...valid.map(({ covers }) => covers));
  if (covered >= COVERED) return COVERED;
  const isNewest = rows.every(({ covers }) => covers <= covered);
  return isNewest && !(await hasSealsBeyond(sql, covered)) ? covered : 'lost';
}

async function hasSealsBeyond(sql: Database | Transaction, covered: number): Promise<boolean> {
  // An empty list of kinds would be no SQL.
  const kinds = ['', ...KINDS.filter((kind) => COVERED_SINCE[kind] <= covered)];
  const [{ some }] = await sql<[{ some: boolean }]>`
    SELECT EXISTS (SELECT 1 FROM seal WHERE kind NOT IN ${sql(kinds)})
      OR (${covered === 0} AND EXISTS (SELECT 1 FROM journal
        WHERE ledger_seal IS NOT NULL OR seal_end IS NOT NULL))
      AS some`;
  return some || (await hasSealedRowsBeyond(sql, covered));
}

const KINDS = Object.keys(COVERED_SINCE) as SealKind[];

async function sealAll(tx: Transaction, keys: LedgerKeys, covered: number): Promise<'begun'> {
  const at = new Date().toISOString();
  const goals = await tx<Placed[]>`
    SELECT goal_id, ledger_seq, ledger_head, seals, seal_head, ledger_seal, seal_end FROM journal`;
  for (const goal of goals) {
    const isSealed = goal.ledger_seal !== null && goal.seal_end !== null;
    if (isSealed && covered < GOALS_SINCE) await sealMore(tx, keys, goal, { at, covered });
    // Seals of the second kind begin with a goal's start: one that has none is not from before.
    const mayBeOld = covered === 0 || (covered < 2 && (await hasNothing(tx, goal)));
    if (!isSealed && mayBeOld) await sealGoal(tx, keys, goal, at);
  }
  for (const { since, adopt } of SEALED_KINDS) if (covered < since) await adopt(tx, keys, covered);
  // What these seal on their own was covered from then on: what has none now is not from before.
  if (covered < 2) await sealSecurityLog(tx, keys);
  const { sealing } = keys;
  if (sealing !== null) {
    await tx`
      INSERT INTO sealing (started_at, goals, hash, covers)
      VALUES (${at}, ${goals.length}, ${sealingSeal(sealing, at, goals.length, COVERED)},
        ${COVERED})`;
  }
  return 'begun';
}

/** A goal that never ran had no seals; one that ran without them stays unsealed. */
async function hasNothing(tx: Transaction, { goal_id: goalId, seals }: Placed): Promise<boolean> {
  const rows = await tx`
    SELECT 1 FROM journal WHERE goal_id = ${goalId} AND (turn > 0 OR steps > 0 OR ledger_seq > 0)
    UNION ALL SELECT 1 FROM decision WHERE goal_id = ${goalId}
    UNION ALL SELECT 1 FROM seal WHERE goal_id = ${goalId}
    UNION ALL SELECT 1 FROM goal WHERE goal_id = ${goalId} AND completion IS NOT NULL`;
  return seals === 0 && rows.count === 0;
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
  await tx`
    UPDATE journal SET ledger_seal = ${ledgerSeal(sealing, goalId, { seq, hash })},
      seal_head = ${end.hash}, seal_end = ${endSeal(sealing, goalId, end)}
    WHERE goal_id = ${goalId} AND ledger_seal IS NULL`;
  const place: SealPlace = { goalId, end, ledger: { seq, hash }, at };
  const contents = await readSealedContents(tx, goalId);
  await storeSeals(tx, keys, place, [startOf({ seq, hash }), ...contents]);
}

/** Adds what the goal's seals did not cover; the end that they had has to hold for that. */
async function sealMore(
  tx: Transaction,
  keys: LedgerKeys,
  { goal_id: goalId, ledger_seq: seq, ledger_head: hash, seals, seal_head: last }: Placed,
  { at, covered }: { readonly at: string; readonly covered: number },
): Promise<void> {
  const end: SealEnd = { number: seals, hash: last ?? firstEnd(goalId).hash };
  const clocks = covered < 2 ? await readByClock(tx, goalId) : new Set<string>();
  const contents = (await readSealedContents(tx, goalId)).filter(
    ({ kind, subject }) =>
      COVERED_SINCE[kind] > covered || (kind === 'approval' && clocks.has(subject)),
  );
  const place: SealPlace = { goalId, end, ledger: { seq, hash }, at };
  await storeSeals(tx, keys, place, [startOf({ seq, hash }), ...contents]);
}

/** What the clock denied had no seal at first. */
async function readByClock(tx: Transaction, goalId: string): Promise<ReadonlySet<string>> {
  const rows = await tx<Row<'approval', 'approval_id'>[]>`
    SELECT approval_id FROM approval a
    WHERE goal_id = ${goalId} AND state = 'denied' AND decided_by = 'Clock' AND NOT EXISTS (
      SELECT 1 FROM seal s
      WHERE s.goal_id = a.goal_id AND s.kind = 'approval' AND s.subject = a.approval_id)`;
  return new Set(rows.map(({ approval_id: id }) => id));
}

const startOf = (ledger: ChainHead): Sealed => ({
  kind: 'start',
  subject: '',
  digest: contentDigest(ledger),
});
