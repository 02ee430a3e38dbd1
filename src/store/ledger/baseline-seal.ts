import type { Executor } from '../client.ts';
import type { Row } from '../row.ts';
import { type Fragment, sealedRows } from './row-seal.ts';

/**
 * What a criterion's command told before the work decides which tests a proof has to see. The
 * service's own user of the database can neither move such a row nor take it away; its seal says
 * that the service wrote it.
 */
type BaselineRow = Row<'criterion_baseline', 'goal_id' | 'criterion_id' | 'body' | 'seal'>;

const readWhere = (sql: Executor, which: Fragment) => sql<BaselineRow[]>`
  SELECT goal_id, criterion_id, body, seal FROM criterion_baseline
  WHERE ${which} ORDER BY goal_id, criterion_id`;

export const readBaselines = (sql: Executor, goalId: string) =>
  readWhere(sql, sql`goal_id = ${goalId}`);

export const baselines = sealedRows<BaselineRow>({
  content: ({ goal_id, criterion_id, body }) => ['baseline', goal_id, criterion_id, body],
  read: readWhere,
  keep: (tx, row, seal) => tx`
    UPDATE criterion_baseline SET seal = ${seal}
    WHERE goal_id = ${row.goal_id} AND criterion_id = ${row.criterion_id}
      AND seal IS NOT DISTINCT FROM ${row.seal}`,
});
