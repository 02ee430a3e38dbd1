import type { Executor } from '../client.ts';
import type { Row } from '../row.ts';
import { contentDigest, type Sealed } from './seals.ts';

export type DecisionContent = Row<
  'decision',
  | 'turn'
  | 'rule'
  | 'action'
  | 'sentence'
  | 'facts'
  | 'outcome'
  | 'score'
  | 'missing'
  | 'usage'
  | 'ledger_seq'
  | 'ledger_head'
  | 'at'
>;

export const decisionSealed = (content: DecisionContent): Sealed => ({
  kind: 'decision',
  subject: String(content.turn),
  digest: contentDigest(content),
});

export const completionSealed = (completion: unknown): Sealed => ({
  kind: 'completion',
  subject: '',
  digest: contentDigest(completion),
});

type ApprovalContent = Row<
  'approval',
  | 'approval_id'
  | 'goal_id'
  | 'kind'
  | 'turn'
  | 'call_id'
  | 'data'
  | 'state'
  | 'decided_by'
  | 'note'
  | 'decided_at'
>;

/** Approvals with an answer; of all of the goal, or one. */
export async function readApprovalsSealed(
  sql: Executor,
  goalId: string,
  approvalId: string | null = null,
): Promise<Sealed[]> {
  const rows = await sql<ApprovalContent[]>`
    SELECT approval_id, goal_id, kind, turn, call_id, data, state, decided_by, note, decided_at
    FROM approval WHERE goal_id = ${goalId} AND state IN ('approved', 'denied')
      AND (${approvalId}::text IS NULL OR approval_id = ${approvalId})
    ORDER BY decided_at, approval_id`;
  return rows.map((row) => ({
    kind: 'approval',
    subject: row.approval_id,
    digest: contentDigest(row),
  }));
}

/** Everything of a goal that a seal is due for, as it stands in the record now. */
export async function readSealedContents(sql: Executor, goalId: string): Promise<Sealed[]> {
  const decisions = await sql<DecisionContent[]>`
    SELECT turn, rule, action, sentence, facts, outcome, score, missing, usage, ledger_seq,
      ledger_head, at
    FROM decision WHERE goal_id = ${goalId} ORDER BY turn`;
  const [goal] = await sql<Row<'goal', 'completion' | 'status'>[]>`
    SELECT completion, status FROM goal WHERE goal_id = ${goalId}`;
  const isComplete = goal?.status === 'complete' || (goal?.completion ?? null) !== null;
  return [
    ...decisions.map(decisionSealed),
    ...(await readApprovalsSealed(sql, goalId)),
    ...(isComplete ? [completionSealed(goal?.completion ?? null)] : []),
  ];
}
