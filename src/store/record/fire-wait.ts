import type { GoalState } from '../../contract/goal-state.ts';
import type { Execution, RecordPort } from '../../contract/record.ts';
import type { WaitEnd } from '../../contract/wake-request.ts';
import { waitsAsRequested } from '../../goal/waits/chain.ts';
import { beginWake } from '../../goal/waits/wake.ts';
import type { Transaction } from '../client.ts';
import type { NewEvent } from '../events.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { sealingDecided } from '../ledger/seal-decided.ts';
import type { LockedGoal } from '../locked-goal.ts';
import { endElection } from '../waits/elections.ts';
import { takeHeardEvents } from '../waits/events.ts';
import { commitOwn } from './commit-own.ts';
import { saveRevision } from './goal-state.ts';

type Firing = Parameters<RecordPort['fireWait']>[1];

/** Ends a wait, once per commit id: the wake begins, or the bound that refuses it is recorded. */
export const fireWait = (
  tx: Transaction,
  keys: LedgerKeys,
  execution: Execution,
  { how, ...change }: Firing,
): Promise<GoalState> =>
  commitOwn(tx, execution, change, async (goal) =>
    waitsAsRequested(goal.state.chart)
      ? await sealingDecided(tx, keys, goal, () => endWait(tx, keys, goal, how))
      : null,
  );

/** An event that came since the host's last look is heard as well, also where the time is over. */
async function endWait(
  tx: Transaction,
  keys: LedgerKeys,
  goal: LockedGoal,
  how: WaitEnd,
): Promise<GoalState> {
  const { goalId, turn } = goal.state;
  const { now } = goal;
  const { chart, refusal } = beginWake(goal.state, goal.usage, now);
  const heard = await takeHeardEvents(tx, keys, goalId);
  const ended = heard > 0 ? 'met' : how;
  await endElection(tx, keys, goalId, ended);
  return await saveRevision(tx, keys, goal, {
    chart,
    now,
    events: [
      refusal === null
        ? firedEvent(ended, chart.context.chain?.length ?? 0)
        : { type: 'election.refused', data: { turn, ...refusal } },
    ],
  });
}

const firedEvent = (how: WaitEnd, length: number): NewEvent => ({
  type: 'election.fired',
  data: { how, length },
});
