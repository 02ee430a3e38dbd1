import type { Fence } from '../../contract/fence.ts';
import type { EndedSlice, Execution, SettledSlice, SettledTurn } from '../../contract/record.ts';
import { decide, needsEvidence } from '../../goal/decision/decide.ts';
import { decisionInput } from '../../goal/decision/decision-input.ts';
import { settlesWithSlice } from '../../record/decision/settles-with-slice.ts';
import type { Transaction } from '../client.ts';
import { readCommit } from '../commits.ts';
import { assertFence } from '../fence.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import type { LockedGoal } from '../locked-goal.ts';
import { heldBy, lockGoal } from './goal-state.ts';
import { isOutdated, settle, turnCommit, withLostSteps } from './record-turn.ts';

/**
 * Settles a turn in the transaction with which its slice ends. Null leaves it to the workflow, which
 * settles by the same rules and under the same commit id.
 */
export async function settleSlice(
  tx: Transaction,
  keys: LedgerKeys,
  execution: Execution,
  fence: Fence,
  { facts, usage }: EndedSlice,
): Promise<SettledSlice | null> {
  const locked = heldBy(await lockGoal(tx, execution.goalId, keys), execution);
  await assertFence(tx, fence, 'ending');
  if (!settlesWithSlice(locked.state, facts)) return null;
  const commitId = turnCommit(facts.turn);
  if ((await readCommit(tx, execution.goalId, commitId)) !== null) return null;
  const goal = await withLostSteps(tx, keys, execution, locked);
  // Whoever wrote after the slice looked is answered first: the second decision knows of them.
  for (const heard of [facts, { ...facts, unread: Math.max(1, facts.unread) }]) {
    const turn = turnOf(goal, { facts: heard, usage }, commitId);
    if (turn === null) return null;
    if (await isOutdated(tx, goal, turn)) continue;
    return { state: await settle(tx, goal, turn, keys), turn };
  }
  return null;
}

/** Null where the decision rests on evidence, which no transaction gathers. */
function turnOf(
  { state, now }: LockedGoal,
  { facts, usage }: EndedSlice,
  commitId: string,
): SettledTurn | null {
  const settling = { facts, evidence: null, usage, now };
  const input = decisionInput(state, settling);
  if (needsEvidence(input)) return null;
  const decision = decide(input);
  return { commitId, expectedRevision: state.revision, decision, ...settling };
}
