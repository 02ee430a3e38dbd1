import type { Criterion, TrackedCriterion } from '../../../schema/criteria.ts';
import { amendCriteria, unprovenCriterion } from '../../record/mutation/amended-criteria.ts';
import type { Transaction } from '../client.ts';
import { canonicalJson } from '../json.ts';
import type { LockedGoal } from '../locked-goal.ts';

export async function mergeCriteria(
  tx: Transaction,
  goal: LockedGoal,
  wanted: readonly Criterion[],
): Promise<TrackedCriterion[]> {
  return amendCriteria(goal.criteria, wanted, await newestId(tx, goal), canonicalJson);
}

export async function addProposed(
  tx: Transaction,
  goal: LockedGoal,
  spec: Criterion,
): Promise<TrackedCriterion[]> {
  const newest = await newestId(tx, goal);
  return [...goal.criteria, unprovenCriterion(newest + 1, spec, 'proposed')];
}

/** A dropped criterion's id is never reused, because its baseline belongs to it. */
async function newestId(tx: Transaction, { state, criteria }: LockedGoal): Promise<number> {
  const used = await tx<{ id: string }[]>`
    SELECT jsonb_object_keys(baseline->'states') AS id FROM goal
    WHERE goal_id = ${state.goalId} AND jsonb_typeof(baseline->'states') = 'object'
    UNION SELECT body->'arguments'->>'criterionId' FROM ledger
    WHERE goal_id = ${state.goalId} AND tool LIKE 'check.%' AND phase = 'started'
    UNION SELECT data->>'subject' FROM approval
    WHERE goal_id = ${state.goalId} AND kind = 'approval'`;
  const ids = [...criteria.map(({ criterionId }) => criterionId), ...used.map(({ id }) => id)];
  return Math.max(0, ...ids.map((id) => Number(id?.slice(1)) || 0));
}
