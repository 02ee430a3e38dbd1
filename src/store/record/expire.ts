import type { GoalState } from '../../contract/goal-state.ts';
import type { Execution } from '../../contract/record.ts';
import { standingApprovals } from '../../goal/approvals/approvals.ts';
import { findLimit } from '../../goal/budget/budget.ts';
import { step } from '../../goal/chart/machine.ts';
import { pauseOf } from '../../goal/chart/view.ts';
import type { Transaction } from '../client.ts';
import { assertRevision, readCommit, storeCommit } from '../commits.ts';
import type { NewEvent } from '../events.ts';
import type { LockedGoal } from '../locked-goal.ts';
import { heldBy, lockGoal, type Revision, saveRevision } from './goal-state.ts';

/** Name under which the clock answers. */
const CLOCK = 'Clock';

/** Ends a wait for a person by timeout: once, and only in the state that the workflow saw. */
export async function expire(
  tx: Transaction,
  execution: Execution,
  { commitId, expectedRevision }: { commitId: string; expectedRevision: number },
): Promise<GoalState> {
  const locked = await lockGoal(tx, execution.goalId);
  const known = await readCommit<GoalState>(tx, execution.goalId, commitId);
  if (known !== null) return known;
  const goal = heldBy(locked, execution);
  assertRevision(goal.state, expectedRevision);
  const now = new Date().toISOString();
  const isQuestion = pauseOf(goal.state.chart) !== null;
  const change = isQuestion ? await answer(tx, goal, now) : await deny(tx, goal, now);
  const next = await saveRevision(tx, goal, { ...change, now });
  await storeCommit(tx, next, commitId, next);
  return next;
}

type Change = Pick<Revision, 'chart' | 'events'>;

/** The answer is the host's message, because no person gave it. */
async function answer(tx: Transaction, goal: LockedGoal, now: string): Promise<Change> {
  const { goalId, chart } = goal.state;
  const questionId = pauseOf(chart)?.questionId ?? '';
  const [question] = await tx<{ answer: string }[]>`
    UPDATE question SET answer = default_answer, answered_by = ${CLOCK}, answered_at = now()
    WHERE question_id = ${questionId} AND answered_at IS NULL
    RETURNING coalesce(default_answer, '') AS answer`;
  const text = `Nobody answered your question in time. The default answer holds: ${question?.answer ?? ''}`;
  await tx`
    INSERT INTO inbox (message_id, goal_id, kind, voice, text, delivery, question_id)
    VALUES (${`m-${questionId}`}, ${goalId}, 'answer', 'host', ${text}, 'pause', ${questionId})`;
  return {
    chart: step(chart, { type: 'goal.answered', limit: limitOf(goal, now), next: 'answer' }),
    events: [{ type: 'question.expired', data: { by: CLOCK, questionId } }],
  };
}

async function deny(tx: Transaction, goal: LockedGoal, now: string): Promise<Change> {
  const { chart } = goal.state;
  const ids = [...standingApprovals(chart)];
  await tx`
    UPDATE approval SET state = 'denied', decided_by = ${CLOCK}, decided_at = now(),
      note = 'nobody decided in time, which counts as a no'
    WHERE approval_id IN ${tx(ids)} AND state = 'open'`;
  const events = ids.map((approvalId): NewEvent => {
    return { type: 'approval.expired', data: { by: CLOCK, approvalId, decision: 'deny' } };
  });
  const { next } = chart.context;
  return {
    chart: step(chart, { type: 'goal.answered', limit: limitOf(goal, now), next }),
    events,
  };
}

const limitOf = ({ state, usage }: LockedGoal, now: string) => findLimit(state.budget, usage, now);
