import type { ChartSnapshot } from '../../contract/goal-state.ts';
import { isOpen, isOver } from '../../goal/chart/view.ts';
import type { Executor } from '../client.ts';
import { canonicalStorable } from '../json.ts';
import type { Row } from '../row.ts';
import { type CountedSeal, type NewestSeal, newestSeal } from './counted-seal.ts';
import { countedTable, rowsOf } from './counted-table.ts';
import type { LedgerKeys } from './ledger-keys.ts';

/**
 * Where a goal stands decides whether it works. Each change of it is sealed in the statement that
 * opens or closes the goal's journal, so a goal that was cleared, or that waits, stays so.
 */
export type SealedState = Row<'goal', 'goal_id' | 'snapshot'> & {
  /** Of its journal; null = somebody took that away. */
  readonly is_open: boolean | null;
  /** The goal's row says that it was cleared, or is complete. */
  readonly is_archived: boolean;
  readonly is_complete: boolean;
  readonly sealed: NewestSeal;
};

/** Of a goal `g`, as a JSON object, in the snapshot of any statement. */
export const sealedState = (sql: Executor) => sql`
  jsonb_build_object('goal_id', g.goal_id, 'snapshot', g.snapshot,
    'is_archived', g.archived_at IS NOT NULL, 'is_complete', g.status = 'complete',
    'is_open', (SELECT o.is_open FROM journal o WHERE o.goal_id = g.goal_id),
    'sealed', ${newestSeal(sql, 'state', sql`g.goal_id`)})`;

export const states = countedTable<Omit<SealedState, 'is_open' | 'is_archived' | 'is_complete'>>({
  kind: 'state',
  since: 9,
  subject: ({ goal_id: goalId }) => goalId,
  content: ({ snapshot }) => snapshot,
  isKept: true,
  read: (tx) =>
    rowsOf(
      tx<{ row: SealedState }[]>`SELECT ${sealedState(tx)} AS row FROM goal g ORDER BY g.goal_id`,
    ),
});

/** The journal takes steps, and the goal's row is archived or complete, exactly where the state says so. */
export const isStateIntact = (keys: LedgerKeys, state: SealedState): boolean =>
  keys.sealing === null ||
  (states.isIntact(keys, state) &&
    state.is_open === isOpen(state.snapshot) &&
    state.is_archived === state.snapshot.context.isArchived &&
    state.is_complete === (state.snapshot.value === 'complete'));

/** What was sealed is that nothing leads the goal on; without a key its row says so. */
export const isSealedAsOver = (keys: LedgerKeys, state: SealedState): boolean =>
  keys.sealing === null
    ? state.is_archived || state.is_complete
    : isStateIntact(keys, state) && isOver(state.snapshot);

/** The first seal of a goal that begins. */
export const firstState = (
  keys: LedgerKeys,
  goalId: string,
  snapshot: ChartSnapshot,
): CountedSeal | null => states.next(keys, { goal_id: goalId, snapshot, sealed: null });

/** The seal of what a state becomes, unless somebody else changed it before; null = none is due. */
export function sealOfState(
  keys: LedgerKeys,
  before: SealedState,
  snapshot: ChartSnapshot,
): CountedSeal | null {
  if (canonicalStorable(before.snapshot) === canonicalStorable(snapshot)) return null;
  return isStateIntact(keys, before) ? states.next(keys, { ...before, snapshot }) : null;
}

export async function readState(sql: Executor, goalId: string): Promise<SealedState | null> {
  const [row] = await sql<{ state: SealedState }[]>`
    SELECT ${sealedState(sql)} AS state FROM goal g WHERE g.goal_id = ${goalId}`;
  return row?.state ?? null;
}
