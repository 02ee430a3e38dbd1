import type { Delegate } from '../../../schema/delegate.ts';
import type { ReaderPort } from '../../contract/reads.ts';
import type { Database } from '../client.ts';
import {
  type DelegatedColumns,
  delegatedColumns,
  joinDelegated,
  readSetAside,
  toTotal,
} from '../delegates/delegate-usage.ts';
import type { DelegateRow } from '../ledger/delegate-seal.ts';
import type { OuterRow, Row } from '../row.ts';
import { type UsageColumns, usageColumns } from '../usage-row.ts';

type TreeRow = DelegateRow &
  Row<'delegate', 'started_at' | 'ended_at' | 'outcome'> &
  OuterRow<'goal', 'status'> &
  UsageColumns &
  DelegatedColumns & { readonly depth: number };

/** The tree below a goal, every delegate followed by its own. */
export function readDelegates(db: Database): Pick<ReaderPort, 'delegates' | 'setAside'> {
  return {
    setAside: (goalId) => readSetAside(db, goalId),

    async delegates(goalId) {
      const rows = await db<TreeRow[]>`
        WITH RECURSIVE tree AS (
          SELECT r.*, 1 AS depth, ARRAY[r.created_at::text || r.delegate_id] AS path
          FROM delegate r WHERE r.parent_goal_id = ${goalId}
          UNION ALL
          SELECT r.*, t.depth + 1, t.path || (r.created_at::text || r.delegate_id)
          FROM delegate r JOIN tree t ON r.parent_goal_id = t.child_goal_id
        )
        SELECT tree.*, g.status, ${usageColumns(db)}, ${delegatedColumns(db)}
        FROM tree LEFT JOIN goal g ON g.goal_id = tree.child_goal_id
        LEFT JOIN journal j ON j.goal_id = g.goal_id ${joinDelegated(db)}
        ORDER BY tree.path`;
      return rows.map(toDelegate);
    },
  };
}

function toDelegate(row: TreeRow): Delegate {
  return {
    delegateId: row.delegate_id,
    parentGoalId: row.parent_goal_id,
    depth: row.depth,
    callId: row.call_id,
    turn: row.turn,
    task: row.task,
    files: row.files,
    mode: row.mode,
    return: row.returns,
    state: row.state,
    ...(row.hop === null ? {} : { hop: row.hop }),
    ...(row.starts_at === null ? {} : { startsAt: row.starts_at }),
    ...(row.started_at === null ? {} : { startedAt: row.started_at }),
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
    ...(row.child_goal_id === null || row.status === null
      ? {}
      : { goalId: row.child_goal_id, status: row.status, usage: toTotal(row) }),
    ...(row.reserved === null ? {} : { share: row.reserved }),
    ...(row.outcome === null ? {} : { outcome: row.outcome }),
  };
}
