import type { ChartSnapshot } from '../../contract/goal-state.ts';
import { isOpen } from '../../goal/chart/view.ts';
import type { Executor, Transaction } from '../client.ts';
import { canonicalStorable } from '../json.ts';
import type { Row } from '../row.ts';
import {
  type Counted,
  type CountedSeal,
  isCountedIntact,
  type NewestSeal,
  newestSeal,
  nextSeal,
  storeSeal,
} from './counted-seal.ts';
import type { LedgerKeys } from './ledger-keys.ts';

/**
 * Where a goal stands decides whether it works. Each change of it is sealed in the statement that
 * opens or closes the goal's journal, so a goal that was cleared, or that waits, stays so.
 */
export type SealedState = Row<'goal', 'goal_id' | 'snapshot'> & {
  /** Of its journal; null = somebody took that away. */
  readonly is_open: boolean | null;
  readonly sealed: NewestSeal;
};

/** Of a goal `g`, as a JSON object, in the snapshot of any statement. */
export const sealedState = (sql: Executor) => sql`
  jsonb_build_object('goal_id', g.goal_id, 'snapshot', g.snapshot,
    'is_open', (SELECT o.is_open FROM journal o WHERE o.goal_id = g.goal_id),
    'sealed', ${newestSeal(sql, 'state', sql`g.goal_id`)})`;

const counted = ({ goal_id, snapshot, sealed }: Omit<SealedState, 'is_open'>): Counted => ({
  ...{ kind: 'state', subject: goal_id, content: snapshot, sealed },
});

/** The journal takes steps exactly where the state says so. */
export const isStateIntact = (keys: LedgerKeys, state: SealedState): boolean =>
  keys.sealing === null ||
  (isCountedIntact(keys, counted(state)) && state.is_open === isOpen(state.snapshot));

/** The first seal of a goal that begins. */
export const firstState = (
  keys: LedgerKeys,
  goalId: string,
  snapshot: ChartSnapshot,
): CountedSeal | null => nextSeal(keys, counted({ goal_id: goalId, snapshot, sealed: null }));

/** The seal of what a state becomes, unless somebody else changed it before; null = none is due. */
export function sealOfState(
  keys: LedgerKeys,
  before: SealedState,
  snapshot: ChartSnapshot,
): CountedSeal | null {
  if (canonicalStorable(before.snapshot) === canonicalStorable(snapshot)) return null;
  return isStateIntact(keys, before) ? nextSeal(keys, counted({ ...before, snapshot })) : null;
}

export async function readState(sql: Executor, goalId: string): Promise<SealedState | null> {
  const [row] = await sql<{ state: SealedState }[]>`
    SELECT ${sealedState(sql)} AS state FROM goal g WHERE g.goal_id = ${goalId}`;
  return row?.state ?? null;
}

/** Takes in where goals stood before seals covered it; later on, what has none stands nowhere. */
export async function adoptStates(tx: Transaction, keys: LedgerKeys): Promise<void> {
  const rows = await tx<{ state: SealedState }[]>`
    SELECT ${sealedState(tx)} AS state FROM goal g ORDER BY g.goal_id`;
  for (const { state } of rows)
    if (state.sealed === null) await storeSeal(tx, nextSeal(keys, counted(state)));
}
