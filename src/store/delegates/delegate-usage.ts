import type { UsageFields } from '../../../schema/budget.ts';
import { addAll, unusedOf } from '../../record/budget/delegate-share.ts';
import type { Executor } from '../client.ts';
import { type SealedDelegation, sealedDelegation } from '../ledger/delegate-seal.ts';
import { sealedUsageOfTree, totalOf, type UsageOfTree } from '../ledger/usage-seal.ts';
import { toUsage, type UsageColumns } from '../usage-row.ts';

/** Usage of a goal's delegates and of their delegates; the goal's own sums exclude it. */
export interface DelegatedColumns {
  readonly d_input_tokens: number;
  readonly d_cached_input_tokens: number;
  readonly d_output_tokens: number;
  readonly d_cost_usd: string;
  readonly d_turns: number;
  readonly d_steps: number;
  readonly d_active_ms: number;
}

export const delegatedColumns = (sql: Executor) => sql`
  d.d_input_tokens, d.d_cached_input_tokens, d.d_output_tokens, d.d_cost_usd, d.d_turns, d.d_steps,
  d.d_active_ms`;

/**
 * Joins `d` to a goal `g`. Each goal charges only its own journal; totals are summed over the tree
 * on read, so a delegate's usage can't be charged twice.
 */
export const joinDelegated = (sql: Executor) => sql`
  LEFT JOIN LATERAL (
    WITH RECURSIVE below AS (
      SELECT c.goal_id FROM goal c WHERE c.parent_goal_id = g.goal_id
      UNION ALL
      SELECT c.goal_id FROM goal c JOIN below b ON c.parent_goal_id = b.goal_id
    )
    SELECT coalesce(sum(x.input_tokens), 0)::bigint AS d_input_tokens,
      coalesce(sum(x.cached_input_tokens), 0)::bigint AS d_cached_input_tokens,
      coalesce(sum(x.output_tokens), 0)::bigint AS d_output_tokens,
      trim_scale(coalesce(sum(x.cost_usd), 0))::text AS d_cost_usd,
      coalesce(sum(x.turns), 0)::int AS d_turns, coalesce(sum(x.steps), 0)::int AS d_steps,
      coalesce(sum(x.active_ms), 0)::bigint AS d_active_ms
    FROM below JOIN journal x USING (goal_id)
  ) d ON true`;

export const toDelegated = (row: DelegatedColumns): UsageFields =>
  toUsage({
    input_tokens: row.d_input_tokens,
    cached_input_tokens: row.d_cached_input_tokens,
    output_tokens: row.d_output_tokens,
    cost_usd: row.d_cost_usd,
    turns: row.d_turns,
    steps: row.d_steps,
    active_ms: row.d_active_ms,
  });

/** Usage of a goal, including its delegates. */
export const toTotal = (row: UsageColumns & DelegatedColumns): UsageFields =>
  addAll([toUsage(row), toDelegated(row)]);

interface HandedOn {
  readonly delegation: SealedDelegation;
  readonly tree: UsageOfTree;
}

/** Unused budget that is reserved for the running delegates of a goal. */
export const setAsideOf = (goalId: string, { delegation, tree }: HandedOn): UsageFields =>
  addAll(
    delegation.delegates.flatMap(
      ({ parent_goal_id: parent, state, reserved, child_goal_id: child }) =>
        parent === goalId && state === 'running' && reserved !== null
          ? [unusedOf(reserved, totalOf(tree.filter(({ branch }) => branch === child)))]
          : [],
    ),
  );

export async function readSetAside(sql: Executor, goalId: string): Promise<UsageFields> {
  const [row] = await sql<HandedOn[]>`
    SELECT ${sealedDelegation(sql)} AS delegation, ${sealedUsageOfTree(sql)} AS tree
    FROM goal g WHERE g.goal_id = ${goalId}`;
  return row === undefined ? addAll([]) : setAsideOf(goalId, row);
}
