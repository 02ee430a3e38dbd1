import type { GoalState } from '../../contract/goal-state.ts';
import type { Execution, RecordPort } from '../../contract/record.ts';
import type { WaitEnd } from '../../contract/wake-request.ts';
import { waitsAsRequested } from '../../goal/waits/chain.ts';
import { beginWake } from '../../goal/waits/wake.ts';
import type { Transaction } from '../client.ts';
import { assertRevision, readCommit, storeCommit } from '../commits.ts';
import type { NewEvent } from '../events.ts';
import { endElection } from '../waits/elections.ts';
import { heldBy, lockGoal, saveRevision } from './goal-state.ts';

type Firing = Parameters<RecordPort['fireWait']>[1];

/** Ends a wait, once per commit id: the wake begins, or the bound that refuses it is recorded. */
export async function fireWait(
  tx: Transaction,
  execution: Execution,
  { commitId, expectedRevision, how }: Firing,
): Promise<GoalState> {
  const { goalId } = execution;
  const locked = await lockGoal(tx, goalId);
  const known = await readCommit<GoalState>(tx, goalId, commitId);
  if (known !== null) return known;
  const goal = heldBy(locked, execution);
  assertRevision(goal.state, expectedRevision);
  if (!waitsAsRequested(goal.state.chart)) return goal.state;
  const now = new Date().toISOString();
  const { chart, refusal } = beginWake(goal.state, goal.usage, now);
  await endElection(tx, goalId, how);
  const next = await saveRevision(tx, goal, {
    chart,
    now,
    events: [
      refusal === null
        ? firedEvent(how, chart.context.chain?.length ?? 0)
        : { type: 'election.refused', data: { turn: goal.state.turn, ...refusal } },
    ],
  });
  await storeCommit(tx, next, commitId, next);
  return next;
}

const firedEvent = (how: WaitEnd, length: number): NewEvent => ({
  type: 'election.fired',
  data: { how, length },
});
