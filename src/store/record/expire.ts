import type { GoalState } from '../../contract/goal-state.ts';
import type { Execution } from '../../contract/record.ts';
import { defaultAnswerText, EXPIRED_NOTE, expiryOf } from '../../record/waits/expiry.ts';
import type { Transaction } from '../client.ts';
import type { NewEvent } from '../events.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { sealingDecided } from '../ledger/seal-decided.ts';
import type { LockedGoal } from '../locked-goal.ts';
import { sendToInbox } from '../send-to-inbox.ts';
import { commitOwn, type OwnChange } from './commit-own.ts';
import { saveRevision } from './goal-state.ts';

/** Name under which the clock answers. */
const CLOCK = 'Clock';

/** Ends a wait for a person by timeout: once, and only in the state that the workflow saw. */
export const expire = (
  tx: Transaction,
  keys: LedgerKeys,
  execution: Execution,
  change: OwnChange,
): Promise<GoalState> =>
  commitOwn(tx, execution, change, (goal) =>
    sealingDecided(tx, keys, goal, () => decideByClock(tx, keys, goal)),
  );

async function decideByClock(
  tx: Transaction,
  keys: LedgerKeys,
  goal: LockedGoal,
): Promise<GoalState> {
  const { goalId } = goal.state;
  const { now } = goal;
  const expiry = expiryOf(goal.state, goal.usage, now);
  const events =
    expiry.kind === 'default_answer'
      ? await answer(tx, keys, goalId, expiry.questionId)
      : await deny(tx, expiry.approvalIds);
  return await saveRevision(tx, keys, goal, { chart: expiry.chart, events, now });
}

/** The answer is the host's message, because no person gave it. */
async function answer(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  questionId: string,
): Promise<NewEvent[]> {
  const [question] = await tx<{ answer: string }[]>`
    UPDATE question SET answer = default_answer, answered_by = ${CLOCK}, answered_at = now()
    WHERE question_id = ${questionId} AND answered_at IS NULL
    RETURNING coalesce(default_answer, '') AS answer`;
  const text = defaultAnswerText(question?.answer ?? '');
  await sendToInbox(tx, keys, {
    ...{ messageId: `m-${questionId}`, goalId, kind: 'answer', voice: 'host', text },
    ...{ delivery: 'pause', questionId },
  });
  return [{ type: 'question.expired', data: { by: CLOCK, questionId } }];
}

async function deny(tx: Transaction, approvalIds: readonly string[]): Promise<NewEvent[]> {
  await tx`
    UPDATE approval SET state = 'denied', decided_by = ${CLOCK}, decided_at = now(),
      note = ${EXPIRED_NOTE}
    WHERE approval_id IN ${tx([...approvalIds])} AND state = 'open'`;
  return approvalIds.map((approvalId) => ({
    type: 'approval.expired',
    data: { by: CLOCK, approvalId, decision: 'deny' },
  }));
}
