import type { SealKind } from '../../../schema/ledger.ts';
import type { Transaction } from '../client.ts';
import type { LockedGoal } from '../locked-goal.ts';
import type { Row } from '../row.ts';
import { factsSealed, type GoalFacts, readFacts } from './goal-facts.ts';
import { genesisHash } from './ledger-chain.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import { readDecided } from './sealed-contents.ts';
import { firstEnd, type Sealed } from './seals.ts';
import { type SealPlace, sealBeginning, storeSeals } from './store-seals.ts';

/**
 * Runs what decides something about a locked goal, and seals all that it wrote: which rows stand
 * for a decision is said once, in `sealed-contents.ts`, and not by who writes them.
 */
export const sealingDecided = <Result>(
  tx: Transaction,
  keys: LedgerKeys,
  goal: LockedGoal,
  decide: () => Promise<Result>,
): Promise<Result> =>
  sealing(tx, keys, goal, decide, () => readDecided(tx, goal.state.goalId, 'own'));

/** The same for what seals its own rows: only the goal's facts are left. */
export const sealingFacts = <Result>(
  tx: Transaction,
  keys: LedgerKeys,
  goal: LockedGoal,
  decide: () => Promise<Result>,
): Promise<Result> => sealing(tx, keys, goal, decide, () => Promise.resolve([]));

async function sealing<Result>(
  tx: Transaction,
  keys: LedgerKeys,
  { state: { goalId } }: LockedGoal,
  decide: () => Promise<Result>,
  written: () => Promise<readonly Sealed[]>,
): Promise<Result> {
  if (keys.sealing === null) return decide();
  const before = await readFacts(tx, goalId);
  const result = await decide();
  const sealed = [...(await written()), ...changedFacts(before, await readFacts(tx, goalId))];
  const due = await withoutSealed(tx, goalId, sealed, before);
  if (due.length === 0) return result;
  await sealBeginning(tx, keys, goalId);
  await storeSeals(tx, keys, await placeOf(tx, goalId), due);
  return result;
}

/** Behind what was sealed meanwhile; the goal is locked. */
async function placeOf(tx: Transaction, goalId: string): Promise<SealPlace> {
  const [journal] = await tx<
    [Row<'journal', 'seals' | 'seal_head' | 'ledger_seq' | 'ledger_head'>]
  >`
    SELECT seals, seal_head, ledger_seq, ledger_head FROM journal WHERE goal_id = ${goalId}`;
  const { seals: number, seal_head: hash, ledger_seq: seq, ledger_head: head } = journal;
  const end = hash === null ? firstEnd(goalId) : { number, hash };
  return { goalId, end, ledger: { seq, hash: head }, at: new Date().toISOString() };
}

/** Seals the start of a goal that this transaction accepted. */
export async function sealStart(tx: Transaction, keys: LedgerKeys, goalId: string): Promise<void> {
  if (keys.sealing === null) return;
  const facts = await readFacts(tx, goalId);
  if (facts === null) throw new TypeError(`${goalId} was not inserted`);
  const sealed = [...factsSealed(facts), ...(await readDecided(tx, goalId, 'own'))];
  const ledger = { seq: 0, hash: genesisHash(goalId) };
  const place = { goalId, end: firstEnd(goalId), ledger, at: new Date().toISOString() };
  await sealBeginning(tx, keys, goalId);
  await storeSeals(tx, keys, place, sealed);
}

function changedFacts(before: GoalFacts | null, after: GoalFacts | null): Sealed[] {
  if (before === null || after === null) return [];
  const known = new Map(factsSealed(before).map(({ kind, digest }) => [kind, digest]));
  return factsSealed(after).filter(({ kind, digest }) => known.get(kind) !== digest);
}

type SealedRow = Row<'seal', 'kind' | 'subject' | 'digest'>;

/**
 * Leaves out what a new seal would vouch for though somebody else changed it: a row that has a seal,
 * and the goal's own row where it was not what was sealed last.
 */
async function withoutSealed(
  tx: Transaction,
  goalId: string,
  sealed: readonly Sealed[],
  before: GoalFacts | null,
): Promise<Sealed[]> {
  if (sealed.length === 0) return [];
  const rows = await tx<SealedRow[]>`
    SELECT DISTINCT ON (kind, subject) kind, subject, digest FROM seal
    WHERE goal_id = ${goalId} AND kind IN ${tx(sealed.map(({ kind }) => kind))}
      AND subject IN ${tx(sealed.map(({ subject }) => subject))}
    ORDER BY kind, subject, number DESC`;
  const last = new Map(rows.map((row) => [`${row.kind} ${row.subject}`, row.digest]));
  const found = new Map<SealKind, string>(
    before === null ? [] : factsSealed(before).map(({ kind, digest }) => [kind, digest]),
  );
  return sealed.filter(({ kind, subject }) => last.get(`${kind} ${subject}`) === found.get(kind));
}
