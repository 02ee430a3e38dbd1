import type { Executor } from '../client.ts';
import type { Row } from '../row.ts';
import { isDue, sealedRows } from './row-seal.ts';

/**
 * What a criterion's command told before the work decides which tests a proof has to see. The
 * service's own user of the database can neither move such a row nor take it away; its seal says
 * that the service wrote it.
 */
type BaselineRow = Row<'criterion_baseline', 'goal_id' | 'criterion_id' | 'body' | 'seal'>;

export const readBaselines = (sql: Executor, goalId: string) => sql<BaselineRow[]>`
  SELECT goal_id, criterion_id, body, seal FROM criterion_baseline
  WHERE goal_id = ${goalId} ORDER BY criterion_id`;

export const baselines = sealedRows<BaselineRow>({
  content: ({ goal_id, criterion_id, body }) => ['baseline', goal_id, criterion_id, body],
  read: (tx, newest) => tx<BaselineRow[]>`
    SELECT goal_id, criterion_id, body, seal FROM criterion_baseline WHERE ${isDue(tx, newest)}`,
  keep: (tx, row, seal) => tx`
    UPDATE criterion_baseline SET seal = ${seal}
    WHERE goal_id = ${row.goal_id} AND criterion_id = ${row.criterion_id}
      AND seal IS NOT DISTINCT FROM ${row.seal}`,
});
