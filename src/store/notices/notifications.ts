import type { Completion } from '../../../schema/goal.ts';
import type { NotifyEvent } from '../../../schema/notify.ts';
import type { ChartSnapshot, GoalState } from '../../contract/goal-state.ts';
import { standingApprovals } from '../../goal/approvals/approvals.ts';
import { activityOf, pauseOf, statusOf } from '../../goal/chart/view.ts';
import { describeApproval } from '../../record/approvals/approval-text.ts';
import { notifyEventOf } from '../../record/approvals/notify-event.ts';
import { trimmed } from '../../record/summary.ts';
import { askedDigest } from '../approvals/asked-digest.ts';
import type { Transaction } from '../client.ts';
import { storableText } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { sealWritten } from '../ledger/written-seal.ts';
import type { Row } from '../row.ts';

const SHOWN_CHARACTERS = 2000;

/**
 * The notification is stored in the transaction that begins the wait (outbox): both commit or
 * neither.
 */
export async function storeNotification(
  tx: Transaction,
  keys: LedgerKeys,
  before: ChartSnapshot,
  state: GoalState,
  { completion, now }: { completion?: Completion | undefined; now: string },
): Promise<void> {
  const event = notifyEventOf(before, state.chart);
  if (event === null) return;
  const { goalId, revision } = state;
  const body = JSON.stringify({
    type: `goal.${event}`,
    timestamp: now,
    data: { ...(await dataOf(tx, event, state, now)), ...completionOf(completion) },
  });
  const row = {
    ...{ notification_id: `n-${goalId.slice(2)}-${revision}`, goal_id: goalId },
    ...{ type: `goal.${event}`, body: storableText(body) },
  };
  const seal = sealWritten(keys, 'notification', row);
  await tx`
    INSERT INTO notification ${tx({ ...row, created_at: now, seal })}
    ON CONFLICT (notification_id) DO NOTHING`;
}

type GoalRow = Row<'goal', 'thread_id' | 'parent_goal_id' | 'objective'>;

async function dataOf(tx: Transaction, event: NotifyEvent, state: GoalState, now: string) {
  const { goalId, revision, chart } = state;
  const [goal] = await tx<[GoalRow]>`
    SELECT thread_id, parent_goal_id, objective FROM goal WHERE goal_id = ${goalId}`;
  const pause = pauseOf(chart);
  return {
    goalId,
    threadId: goal.thread_id,
    ...(goal.parent_goal_id === null ? {} : { parentGoalId: goal.parent_goal_id }),
    objective: trimmed(goal.objective, SHOWN_CHARACTERS),
    status: statusOf(chart),
    revision,
    activity: activityOf(chart, now),
    ...(pause === null ? {} : { reason: pause.reason, message: pause.message }),
    ...(pause?.blocker === undefined ? {} : { blocker: pause.blocker }),
    ...(pause?.disputeId === undefined ? {} : { disputeId: pause.disputeId }),
    ...(event === 'question' ? await questionOf(tx, pause?.questionId ?? '') : {}),
    ...(event === 'approval' ? await approvalsOf(tx, chart) : {}),
  };
}

async function questionOf(tx: Transaction, questionId: string) {
  const [row] = await tx<Row<'question', 'text' | 'options'>[]>`
    SELECT text, options FROM question WHERE question_id = ${questionId}`;
  return row === undefined ? {} : { question: { questionId, ...row } };
}

type ApprovalRow = Row<'approval', 'approval_id' | 'goal_id' | 'kind' | 'turn' | 'data'>;

async function approvalsOf(tx: Transaction, chart: ChartSnapshot) {
  const rows = await tx<ApprovalRow[]>`
    SELECT approval_id, goal_id, kind, turn, data FROM approval
    WHERE approval_id IN ${tx([...standingApprovals(chart)])} ORDER BY approval_id`;
  const approvals = rows.map(({ approval_id: approvalId, goal_id: goalId, kind, turn, data }) => ({
    approvalId,
    kind,
    asked: askedDigest({ approvalId, goalId, kind, turn, data }),
    question: describeApproval(kind, data).question.slice(0, SHOWN_CHARACTERS),
  }));
  return { approvals };
}

function completionOf(completion: Completion | undefined) {
  if (completion === undefined) return {};
  const { source, verification, result } = completion;
  return {
    completion: { source, verification, result: trimmed(result, SHOWN_CHARACTERS) },
  };
}
