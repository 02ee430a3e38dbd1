import { waitsEndedByResult } from '../../goal/waits/chain.ts';
import type { Database, Executor } from '../client.ts';

/** A goal that has to look at its parent or delegates, or has to be started. */
export interface DelegationWakeup {
  readonly goalId: string;
  readonly epoch: number;
  readonly isStart: boolean;
}

export type NotifyDelegation = (wakeup: DelegationWakeup) => void;

/**
 * Goals to wake: accepted delegates without an execution, delegates that don't yet follow their
 * parent's state, and waiting goals with a result. The query only finds candidates: `delegationEvent`
 * decides under the goal's lock.
 *
 * @param ofGoalId limits them to this goal's delegates and its parent
 */
export async function delegationWakeups(
  sql: Executor,
  ofGoalId?: string,
): Promise<DelegationWakeup[]> {
  const own = ofGoalId === undefined ? sql`` : sql`AND r.parent_goal_id = ${ofGoalId}`;
  const parent =
    ofGoalId === undefined
      ? sql``
      : sql`AND g.goal_id = (SELECT parent_goal_id FROM goal WHERE goal_id = ${ofGoalId})`;
  return sql<DelegationWakeup[]>`
    SELECT g.goal_id AS "goalId", g.epoch, g.run_id IS NULL AS "isStart"
    FROM delegate r JOIN goal g ON g.goal_id = r.child_goal_id JOIN journal j USING (goal_id)
    WHERE r.state = 'running' ${own} AND (
      (g.run_id IS NULL AND j.is_open)
      OR (r.wanted = 'stopped' AND g.run_id IS NOT NULL)
      OR (r.wanted = 'paused' AND g.status = 'active')
      OR (r.wanted = 'running' AND r.is_held_by_parent AND g.status = 'paused'))
    UNION ALL
    SELECT g.goal_id, g.epoch, false FROM goal g
    WHERE g.status = 'active' AND g.activity->>'on' IN ${sql([...waitsEndedByResult])}
      AND g.archived_at IS NULL AND g.run_id IS NOT NULL ${parent}
      AND EXISTS (SELECT 1 FROM inbox i WHERE i.goal_id = g.goal_id AND i.taken_by_turn IS NULL
        AND i.kind = 'delegate' AND i.delivery <> 'silent')
    LIMIT 500`;
}

/** Notifies after a commit of a goal; the reconciler repeats a lost notification. */
export async function notifyDelegation(
  db: Database,
  goalId: string,
  notify: NotifyDelegation,
): Promise<void> {
  const wakeups = await delegationWakeups(db, goalId).catch(() => []);
  for (const wakeup of wakeups) notify(wakeup);
}
