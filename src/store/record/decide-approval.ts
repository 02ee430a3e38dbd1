import type { Approval } from '../../../schema/approval.ts';
import type { Criterion } from '../../../schema/criteria.ts';
import { Refusal } from '../../contract/failures.ts';
import type { ApprovalSubject, Mutation } from '../../contract/mutation.ts';
import type { RequirementChange } from '../../contract/requirements.ts';
import { PROPOSALS } from '../../goal/approvals/approvals.ts';
import { acceptItem, reopenItem } from '../../proof/todo/todos.ts';
import {
  type DecidedByPerson,
  decisionMessages,
} from '../../record/approvals/decision-messages.ts';
import { addTodos } from '../add-lists.ts';
import { readItems } from '../approvals/approvals.ts';
import type { OfferedAlways } from '../approvals/asked-calls.ts';
import { notAsked } from '../approvals/questions.ts';
import type { Transaction } from '../client.ts';
import { storable, storableText } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { isWritten } from '../ledger/written-seal.ts';
import type { LockedGoal } from '../locked-goal.ts';
import { modelWrote } from '../model-wrote.ts';
import { acceptChanges } from '../requirements/requirements.ts';
import type { Row } from '../row.ts';
import { acceptScope } from '../scopes/scopes.ts';
import { sendToInbox } from '../send-to-inbox.ts';
import { storeRule } from '../workspaces/stored-rules.ts';
import { addProposed } from './amend-criteria.ts';
import { readBaseline } from './baseline.ts';
import type { Revision } from './goal-state.ts';
import type { GivenWithPlan } from './hand-over.ts';

interface DecidedBody extends GivenWithPlan {
  readonly note?: string | null;
}

type Decided = Extract<Mutation, { kind: 'approval' }>;

type SubjectRow = Row<'approval', 'kind' | 'state' | 'call_id'> & {
  readonly has_written: boolean;
  readonly open_beside: number;
  readonly standing_claim: string | null;
};

export async function readApprovalSubject(
  tx: Transaction,
  goalId: string,
  approvalId: string,
): Promise<ApprovalSubject | null> {
  const [row] = await tx<SubjectRow[]>`
    SELECT kind, state, call_id, (
        SELECT count(*)::int FROM approval beside
        WHERE beside.goal_id = approval.goal_id AND beside.state = 'open'
          AND beside.kind NOT IN ${tx([...PROPOSALS])} AND beside.approval_id <> approval.approval_id
      ) AS open_beside, (
        SELECT standing.call_id FROM approval standing
        WHERE standing.goal_id = approval.goal_id AND standing.state = 'open'
          AND standing.kind IN ('basis', 'completion', 'manual', 'approval', 'requirement')
        ORDER BY standing.approval_id LIMIT 1
      ) AS standing_claim, kind = 'plan' AND ${modelWrote(tx, goalId)} AS has_written
    FROM approval WHERE approval_id = ${approvalId} AND goal_id = ${goalId}`;
  if (row === undefined) return null;
  return {
    kind: 'approval',
    approvalKind: row.kind,
    isOpen: row.state === 'open',
    isSuperseded: row.state === 'superseded',
    openBeside: row.open_beside,
    callId: row.call_id,
    standingClaim: row.standing_claim,
    hasWritten: row.has_written,
  };
}

type AskedApproval = Row<
  'approval',
  'approval_id' | 'goal_id' | 'kind' | 'turn' | 'call_id' | 'data' | 'seal'
>;

/** Applies a decision's changes beside the goal's state, in the same transaction. */
export async function decideApproval(
  tx: Transaction,
  keys: LedgerKeys,
  goal: LockedGoal,
  mutation: Decided,
  { note = null, ...given }: DecidedBody,
): Promise<Partial<Revision>> {
  const { goalId } = goal.state;
  const { approvalId, decision, by } = mutation;
  const text = note === null ? null : storableText(note);
  const edited = decision === 'approve' ? (given.criteria?.[0] ?? null) : null;
  const [approval] = await tx<[AskedApproval]>`
    UPDATE approval SET note = ${text}, decided_by = ${by}, decided_at = now(),
      accepted = CASE WHEN kind = 'criterion' THEN
        ${edited === null ? null : tx.json(storable(edited))}::jsonb END,
      state = ${decision === 'approve' ? 'approved' : 'denied'}
    WHERE approval_id = ${approvalId}
    RETURNING approval_id, goal_id, kind, turn, call_id, data, seal`;
  if (!isWritten(keys, 'approval', approval)) throw notAsked(approvalId);
  const { kind, data } = approval;
  assertTakes(kind, given);
  if (mutation.always !== undefined) await allowForGood(tx, keys, goalId, mutation, data);
  await tell(tx, keys, goalId, mutation.commitId, { kind, decision, data, note: text, edited });
  const isApproved = decision === 'approve';
  if (kind === 'basis' && isApproved) await acceptBasis(tx, goalId, data);
  if (kind === 'manual')
    await judgeItem(tx, keys, goalId, String(data.subject), isApproved ? by : null);
  if (kind === 'requirement_change' && isApproved) {
    await acceptChanges(tx, keys, goalId, (data.changes ?? []) as RequirementChange[]);
    // A claim was judged by the requirements too.
    return { criteriaRevision: goal.state.criteriaRevision + 1 };
  }
  if (kind === 'scope_change' && isApproved) {
    await acceptScope(tx, goalId, (data.change ?? []) as string[], by);
    return { criteriaRevision: goal.state.criteriaRevision + 1 };
  }
  if (kind !== 'criterion' || !isApproved) return {};
  return {
    criteria: await addProposed(tx, goal, edited ?? (data.criterion as Criterion)),
    criteriaRevision: goal.state.criteriaRevision + 1,
  };
}

/** @throws Refusal where something is given that this approval doesn't take */
function assertTakes(kind: Approval['kind'], given: GivenWithPlan): void {
  const field = (['plan', 'criteria', 'budget'] as const).find((one) => given[one] !== undefined);
  if (kind === 'plan' || field === undefined) return;
  const isEdit = kind === 'criterion' && given.plan === undefined && given.budget === undefined;
  if (isEdit && given.criteria?.length === 1) return;
  const detail = isEdit
    ? 'One criterion takes the place of the proposed one: give one.'
    : `Only the approval of a plan takes ${field}; this one is about ${kind}: leave it out.`;
  throw new Refusal('invalid_request', detail, { field });
}

/** @throws Refusal where no rule can say what the call is */
async function allowForGood(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  { approvalId, by }: Decided,
  data: Approval['data'],
): Promise<void> {
  const always = data.always as OfferedAlways | undefined;
  if (always === undefined) throw notOffered();
  await storeRule(tx, keys, { ...always, by, goalId, approvalId });
}

export const notOffered = (): Refusal =>
  new Refusal(
    'invalid_request',
    'No rule can say what this is about: leave always out, and it is approved once.',
    { field: 'always' },
  );

/**
 * Adds the host's message about the decision, then the person's own words. None of it preempts a
 * running turn.
 */
async function tell(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  commitId: string,
  decided: DecidedByPerson,
): Promise<void> {
  const { notice, words } = decisionMessages(decided);
  const letter = { goalId, delivery: 'steer' } as const;
  if (notice !== null) {
    const said = { messageId: `m-${commitId}`, kind: 'notice', voice: 'host' } as const;
    await sendToInbox(tx, keys, { ...letter, ...said, text: notice });
  }
  if (words !== null) {
    const said = { messageId: `n-${commitId}`, kind: 'answer', voice: 'person' } as const;
    await sendToInbox(tx, keys, { ...letter, ...said, text: words });
  }
}

async function acceptBasis(tx: Transaction, goalId: string, data: Approval['data']): Promise<void> {
  const baseline = await readBaseline(tx, goalId);
  if (baseline === null) return;
  const changes = (data.changes ?? {}) as Record<string, string | null>;
  const accepted = { ...baseline.accepted, ...changes };
  await tx`
    UPDATE goal SET baseline = ${tx.json(storable({ ...baseline, accepted }))}
    WHERE goal_id = ${goalId}`;
}

/** `acceptedBy` null: the item is open again. */
async function judgeItem(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  itemId: string,
  acceptedBy: string | null,
): Promise<void> {
  const items = await readItems(tx, goalId);
  const judged =
    acceptedBy === null ? reopenItem(items, itemId) : acceptItem(items, itemId, acceptedBy);
  await addTodos(tx, keys, { goalId, items: judged, callId: null });
}
