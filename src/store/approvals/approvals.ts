import type { Approval, ApprovalKind } from '../../../schema/approval.ts';
import type { Criterion } from '../../../schema/criteria.ts';
import type { Requirement } from '../../../schema/requirement.ts';
import type { TodoItem } from '../../../schema/todo.ts';
import type { DecidedApproval } from '../../contract/approval.ts';
import type { Ask } from '../../contract/evidence.ts';
import type { ChartSnapshot } from '../../contract/goal-state.ts';
import type { ApprovalFilter } from '../../contract/reads.ts';
import type { SettledTurn } from '../../contract/record.ts';
import type { ProposedRequirementChange } from '../../contract/requirements.ts';
import {
  asksOf,
  PROPOSALS,
  type SupersededApprovals,
  standingApprovals,
} from '../../goal/approvals/approvals.ts';
import { coverageText } from '../../policy/covered-calls.ts';
import { describeApproval } from '../../record/approvals/approval-text.ts';
import { describeCriterion } from '../../record/criterion-text.ts';
import type { Said } from '../../record/decision/completion.ts';
import { trimmed } from '../../record/summary.ts';
import { readChangedFiles } from '../changed-files.ts';
import type { Database, Executor, Transaction } from '../client.ts';
import { readableOnes } from '../each-alone.ts';
import type { ApprovalModel } from '../generated/client/models.ts';
import { storable } from '../json.ts';
import { ALTERED_FINDING, isFindingIntact, readFindings } from '../ledger/finding-seal.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { sealWritten } from '../ledger/written-seal.ts';
import type { LockedGoal } from '../locked-goal.ts';
import { inSight } from '../reads/in-sight.ts';
import { readRequirements } from '../requirements/requirements.ts';
import type { Row } from '../row.ts';
import { jsonOf, type Store, timeOf, timeOrNull } from '../store.ts';
import { askedCallData, type OfferedAlways } from './asked-calls.ts';

interface NewApproval {
  readonly approvalId: string;
  readonly goalId: string;
  readonly kind: ApprovalKind;
  readonly turn: number;
  readonly callId: string | null;
  readonly data: Approval['data'];
}

export async function insertApproval(
  tx: Transaction,
  keys: LedgerKeys,
  approval: NewApproval,
): Promise<void> {
  const { approvalId, goalId, kind, turn, callId, data } = approval;
  const row = { approval_id: approvalId, goal_id: goalId, kind, turn, call_id: callId };
  const seal = sealWritten(keys, 'approval', { ...row, data });
  await tx`
    INSERT INTO approval ${tx({ ...row, data: tx.json(storable(data)), state: 'open', seal })}
    ON CONFLICT (approval_id) DO NOTHING`;
}

/**
 * Stores the approvals that the turn asks for. Ids are made from goal and turn, so a repeat adds
 * nothing.
 */
export async function storeApprovals(
  tx: Transaction,
  keys: LedgerKeys,
  goal: LockedGoal,
  turn: SettledTurn,
  { chart, said }: { readonly chart: ChartSnapshot; readonly said: Said },
): Promise<void> {
  const { goalId } = goal.state;
  const ids = standingApprovals(chart);
  if (ids.length === 0) return;
  const { facts } = turn;
  const shared = await claimData(tx, keys, goal, turn, said);
  const items = await readItems(tx, goalId);
  const requirements = await readRequirements(tx, goalId);
  for (const [index, ask] of asksOf(turn.decision).entries()) {
    const approvalId = ids[index];
    if (approvalId === undefined) return;
    await insertApproval(tx, keys, {
      approvalId,
      goalId,
      kind: ask.kind,
      turn: facts.turn,
      callId: facts.claim?.callId ?? facts.approval?.callId ?? null,
      data:
        ask.kind === 'tool'
          ? await askedCallData(tx, goalId, facts)
          : { ...shared, ...ownData(ask, { goal, items, requirements, detail: facts.detail }) },
    });
  }
}

async function claimData(
  tx: Transaction,
  keys: LedgerKeys,
  goal: LockedGoal,
  { decision, evidence, facts }: SettledTurn,
  { text, command }: Said,
): Promise<Approval['data']> {
  const { goalId } = goal.state;
  const { missing, reasons, receipts } = decision;
  const [journal] = await tx<[Row<'journal', 'ledger_seq'>]>`
    SELECT ledger_seq FROM journal WHERE goal_id = ${goalId}`;
  const isWeakened = evidence !== null && evidence.weakened.length > 0;
  return {
    result: trimmed(text, 8000),
    ...(command === undefined ? {} : { command }),
    missing,
    reasons,
    receipts,
    evidence,
    changedFiles: await readChangedFiles(tx, goalId),
    /** The person judges the writes up to this row. */
    ledgerSeq: journal.ledger_seq,
    ...(isWeakened ? await readChanges(tx, keys, goalId, facts.turn) : {}),
  };
}

/**
 * Reads the changes that this turn's gate found: the hashes that a person accepts, and the diffs.
 */
async function readChanges(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  turn: number,
): Promise<Approval['data']> {
  const [finding] = await readFindings(tx, goalId, turn);
  // Nothing is accepted by an answer, and the next gate looks again.
  if (finding !== undefined && !isFindingIntact(keys, finding)) return { detail: ALTERED_FINDING };
  const found = finding?.changes ?? [];
  if (found.length === 0) return {};
  return {
    changes: Object.fromEntries(found.map(({ name, now }) => [name, now])),
    diffs: found,
  };
}

interface AskedOf {
  readonly goal: LockedGoal;
  readonly items: readonly TodoItem[];
  readonly requirements: readonly Requirement[];
  readonly detail: string | null;
}

function ownData(ask: Ask, { goal, items, requirements, detail }: AskedOf): Approval['data'] {
  if (ask.kind === 'unknown_effect') return { detail };
  if (ask.kind === 'manual') {
    const item = items.find(({ id }) => id === ask.subject);
    const { content, result, summary } = item ?? {};
    return { subject: ask.subject, content, result, summary };
  }
  if (ask.kind === 'requirement') {
    const { text = '' } = requirements.find((one) => one.requirementId === ask.subject) ?? {};
    // An approval counts for these words alone.
    return { subject: ask.subject, text, question: text };
  }
  if (ask.kind !== 'approval') return {};
  const spec = goal.criteria.find(({ criterionId }) => criterionId === ask.subject)?.spec;
  return { subject: ask.subject, question: spec?.kind === 'approval' ? spec.question : '' };
}

export async function readItems(sql: Executor, goalId: string): Promise<TodoItem[]> {
  const [list] = await sql<Row<'todo_list', 'items'>[]>`
    SELECT items FROM todo_list WHERE goal_id = ${goalId} ORDER BY revision DESC LIMIT 1`;
  return list?.items ?? [];
}

/** Stores a criterion proposal for a person; the goal goes on meanwhile. */
export async function storeProposal(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  call: { readonly callId: string; readonly turn: number },
  spec: Criterion,
): Promise<void> {
  await insertApproval(tx, keys, {
    approvalId: `a-${goalId.slice(2)}-${call.callId.replaceAll('.', '-')}`,
    goalId,
    kind: 'criterion',
    turn: call.turn,
    callId: call.callId,
    data: { criterion: spec, describes: describeCriterion(spec) },
  });
}

/** Puts a change to a person; the goal goes on meanwhile. */
export async function proposeChange(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  call: { readonly callId: string; readonly turn: number },
  { changes, describes }: ProposedRequirementChange,
): Promise<void> {
  await insertApproval(tx, keys, {
    approvalId: `a-${goalId.slice(2)}-${call.callId.replaceAll('.', '-')}-r`,
    goalId,
    kind: 'requirement_change',
    turn: call.turn,
    callId: call.callId,
    data: { changes, describes },
  });
}

export async function readOpenProposals(db: Database, goalId: string): Promise<Criterion[]> {
  const rows = await db<{ criterion: Criterion }[]>`
    SELECT data->'criterion' AS criterion FROM approval
    WHERE goal_id = ${goalId} AND kind = 'criterion' AND state = 'open'`;
  return rows.map(({ criterion }) => criterion);
}

/** Runs in the transaction that goes on, so that nobody is asked about an outdated claim. */
export async function supersedeApprovals(
  tx: Transaction,
  goalId: string,
  { kept, includesProposals }: SupersededApprovals,
): Promise<void> {
  await tx`
    UPDATE approval SET state = 'superseded', decided_at = now()
    WHERE goal_id = ${goalId} AND state = 'open' 
      AND (kind NOT IN ${tx([...PROPOSALS])} OR ${includesProposals})
      ${kept.length === 0 ? tx`` : tx`AND approval_id NOT IN ${tx([...kept])}`}`;
}

type DecidedRow = Row<'approval', 'kind' | 'state' | 'note'> & {
  readonly state: 'approved' | 'denied';
  readonly subject: string | null;
  readonly question: string | null;
  readonly changes: Record<string, string | null> | null;
  readonly by: string;
  readonly is_overtaken: boolean;
  readonly was_spoken_since: boolean;
};

export async function readDecidedApprovals(
  db: Executor,
  goalId: string,
): Promise<DecidedApproval[]> {
  const rows = await db<DecidedRow[]>`
    SELECT a.kind, a.state, a.data->>'subject' AS subject, a.data->>'question' AS question,
      a.data->'changes' AS changes, coalesce(a.decided_by, '') AS by, a.note,
      EXISTS (
        SELECT 1 FROM ledger l
        WHERE l.goal_id = a.goal_id AND l.phase = 'settled'
          AND l.seq > (a.data->>'ledgerSeq')::int
          AND coalesce(l.body->'receipt'->>'origin', 'model') = 'model'
          AND (l.body->'receipt'->'writeSeq' IS NOT NULL
            OR jsonb_array_length(coalesce(l.body->'receipt'->'writes', '[]')) > 0)
      ) AS is_overtaken,
      EXISTS (
        SELECT 1 FROM event e
        WHERE e.goal_id = a.goal_id AND e.at > a.decided_at AND e.data->>'role' <> 'agent'
          AND e.type IN ('goal.messaged', 'goal.answered', 'goal.resumed')
      ) AS was_spoken_since
    FROM approval a
    WHERE a.goal_id = ${goalId} AND a.kind IN ('basis', 'approval', 'requirement')
      AND a.state IN ('approved', 'denied')
    ORDER BY a.decided_at, a.turn`;
  return rows.map(({ is_overtaken, was_spoken_since, changes, ...row }) => ({
    ...row,
    changes: changes ?? {},
    isOvertaken: is_overtaken,
    wasSpokenSince: was_spoken_since,
  }));
}

export async function readApprovals(
  { sql: db, prisma }: Store,
  { goalId, state, sight }: ApprovalFilter,
): Promise<Approval[]> {
  const ids = await db<Row<'approval', 'approval_id'>[]>`
    SELECT a.approval_id FROM approval a JOIN goal g ON g.goal_id = a.goal_id
    WHERE ${inSight(db, sight)} ${goalId === undefined ? db`` : db`AND a.goal_id = ${goalId}`}
      ${state === 'all' ? db`` : db`AND a.state = ${state}`}
    ORDER BY a.created_at DESC, a.approval_id LIMIT 500`;
  const rows = await prisma.approval.findMany({
    where: { approvalId: { in: ids.map((row) => row.approval_id) } },
    orderBy: [{ createdAt: 'desc' }, { approvalId: 'asc' }],
  });
  return readableOnes(rows, toApproval);
}

function alwaysOf(kind: ApprovalKind, { always }: Approval['data']): Approval['always'] {
  if (kind !== 'tool' || always === undefined) return null;
  const { workspace, covers } = always as OfferedAlways;
  return { workspace, says: coverageText(covers) };
}

function toApproval(row: ApprovalModel): Approval {
  const kind = row.kind as ApprovalKind;
  const data = jsonOf<Approval['data']>(row.data);
  return {
    approvalId: row.approvalId,
    goalId: row.goalId,
    kind,
    turn: row.turn,
    ...describeApproval(kind, data),
    data,
    always: alwaysOf(kind, data),
    state: row.state as Approval['state'],
    createdAt: timeOf(row.createdAt),
    decidedAt: timeOrNull(row.decidedAt),
    decidedBy: row.decidedBy,
    note: row.note,
    ...(row.accepted === null ? {} : { accepted: jsonOf<Criterion>(row.accepted) }),
  };
}
