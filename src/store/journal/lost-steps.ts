import type { Transaction } from '../client.ts';
import { appendEvents } from '../events.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { changingUsage } from '../ledger/usage-seal.ts';
import type { Row } from '../row.ts';

type LostStep = Row<'step', 'turn' | 'kind' | 'step' | 'attempt'> & {
  readonly tokens: number;
  readonly costUsd: string;
};

/**
 * Charges calls whose end nobody will see, each by the estimate stored when it was sent. The caller
 * holds the journal's lock, and no slice or gate of the goal runs.
 * @returns how many there were
 */
export async function chargeLostSteps(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
): Promise<number> {
  const sent = await tx`
    SELECT 1 FROM step WHERE goal_id = ${goalId} AND state = 'sent' LIMIT 1`;
  if (sent.count === 0) return 0;
  return await changingUsage(tx, keys, goalId, () => charge(tx, goalId));
}

async function charge(tx: Transaction, goalId: string): Promise<number> {
  const lost = await tx<LostStep[]>`
    WITH lost AS (
      UPDATE step SET state = 'lost', input_tokens = estimated_input,
        output_tokens = estimated_output, cost_usd = estimated_cost_usd, is_estimated = true,
        ended_at = now()
      WHERE goal_id = ${goalId} AND state = 'sent'
      RETURNING turn, kind, step, attempt, input_tokens, output_tokens, cost_usd
    ), charged AS (
      UPDATE journal SET steps = journal.steps + sums.calls, cost_usd = cost_usd + sums.cost,
        input_tokens = input_tokens + sums.input, output_tokens = output_tokens + sums.output
      FROM (SELECT count(*)::int AS calls, sum(cost_usd) AS cost, sum(input_tokens) AS input,
          sum(output_tokens) AS output FROM lost) AS sums
      WHERE goal_id = ${goalId} AND sums.calls > 0
    )
    SELECT turn, kind, step, attempt, input_tokens + output_tokens AS tokens,
      trim_scale(cost_usd)::text AS "costUsd" FROM lost ORDER BY turn, kind DESC, step, attempt`;
  if (lost.length > 0) await appendEvents(tx, goalId, lost.map(lostEvent));
  return lost.length;
}

const lostEvent = (step: LostStep) => ({
  type: 'step.lost',
  data: { ...step, finishReason: null },
});
