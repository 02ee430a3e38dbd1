import { Refusal } from '../../contract/failures.ts';
import type { Executor, Transaction } from '../client.ts';
import { alteredEnds, type SealedEnds, sealedEnds } from './altered-ends.ts';
import type { AlteredRows } from './altered-written.ts';
import { alteredDelegates, type SealedDelegation, sealedDelegation } from './delegate-seal.ts';
import {
  alteredFacts,
  type FactsRow,
  factsColumns,
  type GoalFact,
  lastSealsOfFacts,
} from './goal-facts.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import type { DecidedKind } from './sealed-contents.ts';
import type { SealRow } from './seals.ts';
import { isStateIntact, type SealedState, sealedState } from './state-seal.ts';
import { alteredUsage, sealedUsageOfTree, type UsageOfTree } from './usage-seal.ts';

/** A goal's own row and state, what it and its delegates used, what it handed on, with all seals. */
export type SealedGoalRow = FactsRow & {
  readonly seals: SealRow[];
  readonly state: SealedState;
  readonly ends: SealedEnds | null;
  readonly tree: UsageOfTree;
  readonly delegation: SealedDelegation;
};

/** The columns of {@link SealedGoalRow}, from a goal `g`. */
export const sealedGoalColumns = (sql: Executor) => sql`
  ${factsColumns(sql)}, ${lastSealsOfFacts(sql)} AS seals, ${sealedState(sql)} AS state,
  ${sealedEnds(sql)} AS ends,
  ${sealedUsageOfTree(sql)} AS tree, ${sealedDelegation(sql)} AS delegation`;

/** `wait`: the call that asked for it. */
export type Altered =
  | GoalFact
  | 'state'
  | 'ledger'
  | 'decision'
  | 'usage'
  | 'delegates'
  | DecidedKind
  | AlteredRows
  | 'wait';

export interface Alteration {
  readonly altered: readonly Altered[];
  /** Where usage is altered: of these goals, the goal itself or its delegates. */
  readonly goals?: readonly string[];
  /** Where delegates are: these, or goals of its line that no delegate's row names. */
  readonly delegates?: readonly string[];
}

/** What of it its seals don't vouch for, and what else was found; null = nothing. */
export function alterationOf(
  keys: LedgerKeys,
  row: SealedGoalRow,
  found: readonly Altered[] = [],
): Alteration | null {
  const facts = alteredFacts(keys, row, row.seals);
  const goals = alteredUsage(keys, row.tree);
  const delegates = alteredDelegates(keys, row.delegation);
  const altered = [
    ...facts,
    ...(isStateIntact(keys, row.state) ? [] : (['state'] as const)),
    ...alteredEnds(keys, row.state.goal_id, row.ends),
    ...(goals.length === 0 ? [] : (['usage'] as const)),
    ...(delegates.length === 0 ? [] : (['delegates'] as const)),
    ...found,
  ];
  if (altered.length === 0) return null;
  return {
    altered,
    ...(goals.length === 0 ? {} : { goals }),
    ...(delegates.length === 0 ? {} : { delegates }),
  };
}

export const alterationText = (
  goalId: string,
  { altered, goals = [], delegates = [] }: Alteration,
): string =>
  `What is stored of ${[...new Set([goalId, ...goals, ...delegates])].join(', ')} (${altered.join(', ')}) is not what was sealed: somebody changed the database. ` +
  '`goalkeeper ledger verify` shows it; restore a backup, or clear the goal and start it again.';

/** Why no other goal is made of this one, or given a part of its budget; null = one may be. */
export async function whyAltered(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
): Promise<string | null> {
  if (keys.sealing === null) return null;
  const [row] = await tx<SealedGoalRow[]>`
    SELECT ${sealedGoalColumns(tx)} FROM goal g WHERE g.goal_id = ${goalId}`;
  const found = row === undefined ? null : alterationOf(keys, row);
  return found === null ? null : alterationText(goalId, found);
}

/** @throws Refusal */
export async function assertUnaltered(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
): Promise<void> {
  const why = await whyAltered(tx, keys, goalId);
  if (why !== null) throw new Refusal('invalid_transition', why);
}
