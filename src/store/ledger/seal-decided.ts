import type { SealKind } from '../../../schema/ledger.ts';
import type { Transaction } from '../client.ts';
import type { LockedGoal } from '../locked-goal.ts';
import type { Row } from '../row.ts';
import {
  FACTS,
  type FactsRow,
  factsColumns,
  factsOf,
  factsSealed,
  type GoalFacts,
  OF_FACTS,
  readFacts,
} from './goal-facts.ts';
import { genesisHash } from './ledger-chain.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import { readDecided } from './sealed-contents.ts';
import { firstEnd, type Sealed } from './seals.ts';
import { type SealPlace, sealBeginning, storeSeals } from './store-seals.ts';

/**
 * Runs what decides something about a locked goal, and seals all that it wrote: which rows stand
 * for a decision is said once, in `sealed-contents.ts`, and not by who writes them.
 */
export async function sealingDecided<Result>(
  tx: Transaction,
  keys: LedgerKeys,
  { state: { goalId } }: LockedGoal,
  decide: () => Promise<Result>,
): Promise<Result> {
  if (keys.sealing === null) return decide();
  const before = await readFacts(tx, goalId);
  const result = await decide();
  const decided = await readDecided(tx, goalId, 'own');
  const stands = await readStanding(tx, goalId, decided);
  if (before === null || stands === null) return result;
  const due = unsealed([...decided, ...changed(before, stands.facts)], stands, before);
  if (due.length === 0) return result;
  if (stands.isUnbegun) await sealBeginning(tx, keys, goalId);
  await storeSeals(tx, keys, stands.place, due);
  return result;
}

/** A locked goal as it stands behind what was decided and sealed in its transaction. */
interface Standing {
  readonly facts: GoalFacts;
  readonly place: SealPlace;
  /** Nothing of it is sealed yet. */
  readonly isUnbegun: boolean;
  /** The digest that was sealed last, by kind and subject. */
  readonly last: ReadonlyMap<string, string>;
}

type StandingRow = FactsRow &
  Row<'journal', 'seals' | 'seal_head' | 'ledger_seq' | 'ledger_head'> & {
    readonly is_unbegun: boolean;
    readonly last: readonly SealedRow[];
  };

type SealedRow = Row<'seal', 'kind' | 'subject' | 'digest'>;

async function readStanding(
  tx: Transaction,
  goalId: string,
  decided: readonly Sealed[],
): Promise<Standing | null> {
  const kinds = [...FACTS, ...decided.map(({ kind }) => kind)];
  const subjects = [OF_FACTS, ...decided.map(({ subject }) => subject)];
  const [row] = await tx<StandingRow[]>`
    SELECT ${factsColumns(tx)}, j.seals, j.seal_head, j.ledger_seq, j.ledger_head,
      j.ledger_seal IS NULL AND j.seal_end IS NULL AS is_unbegun,
      (SELECT coalesce(jsonb_agg(to_jsonb(s)), '[]') FROM (
        SELECT DISTINCT ON (kind, subject) kind, subject, digest FROM seal
        WHERE goal_id = g.goal_id AND kind IN ${tx(kinds)} AND subject IN ${tx(subjects)}
        ORDER BY kind, subject, number DESC) s) AS last
    FROM goal g JOIN journal j USING (goal_id) WHERE g.goal_id = ${goalId}`;
  if (row === undefined) return null;
  const { seals: number, seal_head: hash, ledger_seq: seq, ledger_head: head } = row;
  const end = hash === null ? firstEnd(goalId) : { number, hash };
  const place = { goalId, end, ledger: { seq, hash: head }, at: new Date().toISOString() };
  const last = new Map(row.last.map((one) => [nameOf(one), one.digest]));
  return { facts: factsOf(row), place, isUnbegun: row.is_unbegun, last };
}

const nameOf = ({ kind, subject }: Pick<Sealed, 'kind' | 'subject'>): string =>
  `${kind} ${subject}`;

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

function changed(before: GoalFacts, after: GoalFacts): Sealed[] {
  const known = new Map(factsSealed(before).map(({ kind, digest }) => [kind, digest]));
  return factsSealed(after).filter(({ kind, digest }) => known.get(kind) !== digest);
}

/**
 * Leaves out what a new seal would vouch for though somebody else changed it: a row that has a seal,
 * and the goal's own row where it was not what was sealed last.
 */
function unsealed(sealed: readonly Sealed[], { last }: Standing, before: GoalFacts): Sealed[] {
  const found = new Map<SealKind, string>(
    factsSealed(before).map(({ kind, digest }) => [kind, digest]),
  );
  return sealed.filter((one) => last.get(nameOf(one)) === found.get(one.kind));
}
