import type { Row } from '../row.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import { isDue, sealedRows } from './row-seal.ts';

/**
 * What a wait saw last, and how it ended, is told to the model in the host's words: the row bears a
 * seal that each look makes anew.
 */
export type ElectionRow = Row<
  'election',
  'goal_id' | 'turn' | 'call_id' | 'state' | 'seconds' | 'until' | 'looks' | 'seen' | 'seal'
>;

export const elections = sealedRows<ElectionRow>({
  content: ({ goal_id, turn, call_id, state, seconds, until, looks, seen }) => [
    ...['election', goal_id, turn, call_id, state, seconds],
    ...[until === null ? null : new Date(until).toISOString(), looks, seen],
  ],
  read: (tx, newest) => tx<ElectionRow[]>`
    SELECT goal_id, turn, call_id, state, seconds, until, looks, seen, seal FROM election
    WHERE ${isDue(tx, newest)} FOR UPDATE`,
  keep: (tx, { goal_id: goalId, turn }, seal) => tx`
    UPDATE election SET seal = ${seal} WHERE goal_id = ${goalId} AND turn = ${turn}`,
});

/** Null = there is no key. */
export const sealElection = (
  { sealing }: LedgerKeys,
  row: Omit<ElectionRow, 'seal'>,
): string | null => (sealing === null ? null : elections.sealOf(sealing, { ...row, seal: null }));
