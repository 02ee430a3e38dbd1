import type { UsageFields } from '../../schema/budget.ts';
import type { Executor } from './client.ts';
import type { Row } from './row.ts';

export type UsageColumns = Row<
  'journal',
  | 'input_tokens'
  | 'cached_input_tokens'
  | 'output_tokens'
  | 'cost_usd'
  | 'turns'
  | 'steps'
  | 'active_ms'
>;

/** The sums of a goal, from its journal row `j`. */
export const usageColumns = (sql: Executor) => sql`
  j.input_tokens, j.cached_input_tokens, j.output_tokens,
  trim_scale(j.cost_usd)::text AS cost_usd, j.turns, j.steps, j.active_ms`;

/**
 * For an UPDATE of the journal: active time of the present attempt, milliseconds. Only the
 * difference is added, so repeats add nothing.
 */
export const addActive = (sql: Executor, milliseconds: number) => sql`
  active_ms = journal.active_ms
    + greatest(0, ${Math.round(milliseconds)}::bigint - journal.attempt_active_ms),
  attempt_active_ms = greatest(journal.attempt_active_ms, ${Math.round(milliseconds)}::bigint)`;

export function toUsage(row: UsageColumns): UsageFields {
  return {
    inputTokens: row.input_tokens,
    cachedInputTokens: row.cached_input_tokens,
    outputTokens: row.output_tokens,
    tokens: row.input_tokens - row.cached_input_tokens + row.output_tokens,
    costUsd: row.cost_usd,
    turns: row.turns,
    steps: row.steps,
    activeSeconds: row.active_ms / 1000,
  };
}
