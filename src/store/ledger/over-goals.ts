import type { Database, Executor } from '../client.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import { isSealedAsOver, type SealedState, sealedState } from './state-seal.ts';
import { type TellRefused, tellingOnce } from './tell-refused.ts';

/** A goal that nothing leads on any more, whoever speaks. */
export interface OverGoal {
  readonly goalId: string;
  /** Else it was cleared. */
  readonly isComplete: boolean;
  readonly isCleared: boolean;
  /** Since it is what it is. */
  readonly days: number;
}

type Told = Pick<OverGoal, 'days'> & { readonly state: SealedState };

/**
 * The subset of these goals that are over. Whatever can't be undone asks here: the service's user of the
 * database writes a goal's row, so what a row says is believed only as it was sealed, and for no longer.
 * Without a key the row says it.
 * @param tell hears of each that its row alone calls over
 */
export async function overOf(
  sql: Executor,
  keys: LedgerKeys,
  goalIds: readonly string[],
  tell: TellRefused = async () => {},
): Promise<OverGoal[]> {
  if (goalIds.length === 0) return [];
  const rows = await sql<Told[]>`
    SELECT ${sealedState(sql)} AS state,
      extract(epoch FROM now() - goal_stands_since(g.goal_id))::float8 / 86400 AS days
    FROM goal g WHERE (g.status = 'complete' OR g.archived_at IS NOT NULL)
      AND g.goal_id IN (SELECT jsonb_array_elements_text(${sql.json([...goalIds])}))`;
  const over: OverGoal[] = [];
  for (const { state, days } of rows) {
    const { goal_id: goalId, is_complete: isComplete, is_archived: isCleared } = state;
    if (isSealedAsOver(keys, state)) over.push({ goalId, isComplete, isCleared, days });
    else await tell(goalId, { altered: ['state'], what: 'its row says that it is over' });
  }
  return over;
}

/** The same, and the security log hears once of a goal that its row alone calls over. */
export function overTeller(db: Database, keys: LedgerKeys) {
  const tell = tellingOnce(db, keys);
  return (sql: Executor, goalIds: readonly string[]) => overOf(sql, keys, goalIds, tell);
}
