import type { Execution } from '../../contract/record.ts';
import { step } from '../../goal/chart/machine.ts';
import type { Transaction } from '../client.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { lockGoal, saveRevision } from './goal-state.ts';

/** Until the commit, nobody else takes the thread's one slot. Goals are locked behind it. */
export async function lockThread(tx: Transaction, threadId: string): Promise<void> {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`thread ${threadId}`}, 0))`;
}

/**
 * Closes the old goal in the transaction that opens the new one. Its epoch stays: running calls may
 * end and are billed to the old goal, but nothing new begins.
 */
export async function archive(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  replacedBy: string,
): Promise<Execution | null> {
  const goal = await lockGoal(tx, goalId);
  if (goal === null) return null;
  const { state, runId, now } = goal;
  await saveRevision(tx, keys, goal, {
    chart: step(state.chart, { type: 'goal.cleared' }),
    now,
    events: [{ type: 'goal.replaced', data: { by: replacedBy } }],
  });
  return runId === null ? null : { goalId, epoch: state.epoch, runId };
}
