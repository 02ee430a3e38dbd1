import type { Approval, ApprovalKind } from '../../../schema/approval.ts';
import type { Goal } from '../../../schema/goal.ts';
import type { InboxItem } from '../../../schema/inbox.ts';
import type { InboxPage } from '../../contract/reads.ts';
import type { Sight } from '../../contract/sight.ts';
import { PROPOSALS } from '../../goal/approvals/approvals.ts';
import { approvalTitle, oneLine } from '../../record/approvals/approval-title.ts';
import type { Database } from '../client.ts';
import { readableOnes } from '../each-alone.ts';
import { inSight } from './in-sight.ts';
import { shownActor } from './unserved.ts';

interface WaitingRow {
  readonly item_id: string;
  readonly goal_id: string;
  readonly approval: ApprovalKind | null;
  readonly data: Approval['data'] | null;
  readonly status: Goal['status'];
  readonly pause: Goal['pause'] | null;
  readonly activity: Goal['activity'];
  readonly since: string;
  readonly holds: boolean;
  readonly total: number;
}

/** Parts of an approval that no title tells and that may be long. */
const LONG = 'diffs evidence reasons changedFiles result';

/**
 * Open approvals of goals that aren't over, and goals that stand still for a person without one. A
 * goal that holds for an approval is told by that approval alone.
 */
export async function readInbox(db: Database, sight: Sight, limit: number): Promise<InboxPage> {
  const proposals = db([...PROPOSALS]);
  const rows = await db<WaitingRow[]>`
    WITH waiting AS (
      SELECT a.approval_id AS item_id, a.goal_id, a.kind AS approval, a.created_at AS since,
        a.kind NOT IN ${proposals} AS holds
      FROM approval a JOIN goal g ON g.goal_id = a.goal_id
      WHERE a.state = 'open' AND g.archived_at IS NULL AND g.status <> 'complete'
        AND ${inSight(db, sight)}
      UNION ALL
      SELECT coalesce(g.pause->>'questionId', g.pause->>'disputeId', g.goal_id), g.goal_id, NULL,
        (g.activity->>'since')::timestamptz(3), g.pause->>'reason' IS DISTINCT FROM 'person'
      FROM goal g
      WHERE g.archived_at IS NULL AND g.status IN ('paused', 'budget_limited')
        AND ${shownActor(db)} = 'You' AND ${inSight(db, sight)}
        AND NOT EXISTS (SELECT FROM approval held WHERE held.goal_id = g.goal_id
          AND held.state = 'open' AND held.kind NOT IN ${proposals})
    ), page AS (
      SELECT *, count(*) OVER ()::int AS total FROM waiting
      ORDER BY holds DESC, since, item_id LIMIT ${limit}
    )
    SELECT page.*, g.status, g.pause, g.activity,
      (SELECT a.data - string_to_array(${LONG}, ' ') FROM approval a WHERE a.approval_id = page.item_id) AS data
    FROM page JOIN goal g ON g.goal_id = page.goal_id
    ORDER BY page.holds DESC, page.since, page.item_id`;
  return { items: readableOnes(rows, toItem), total: rows[0]?.total ?? 0 };
}

function toItem(row: WaitingRow): InboxItem {
  const shared = { itemId: row.item_id, goalId: row.goal_id, holds: row.holds, since: row.since };
  if (row.approval !== null) {
    return { ...shared, kind: row.approval, title: approvalTitle(row.approval, row.data ?? {}) };
  }
  const said = row.pause?.message || row.activity.reason;
  const kind = standingKind(row);
  return { ...shared, kind, title: oneLine(kind === 'dispute' ? `Disputes ${said}` : said) };
}

function standingKind({ status, pause }: WaitingRow): InboxItem['kind'] {
  if (status === 'budget_limited') return 'budget';
  if (pause?.reason === 'question' && pause.questionId !== undefined) return 'question';
  return pause?.reason === 'disputed' ? 'dispute' : 'pause';
}
