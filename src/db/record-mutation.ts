import type { Criterion, TrackedCriterion } from '../../schema/criteria.ts';
import type { Completion } from '../../schema/goal.ts';
import { Refusal } from '../goal/errors.ts';
import { applyMutation, type Mutated } from '../goal/mutate.ts';
import type { GoalState, Mutation, MutationGround } from '../goal/state.ts';
import { isOpen } from '../goal/view.ts';
import { readChangedFiles } from './changed-files.ts';
import type { Transaction } from './client.ts';
import { readCommit, storeCommit } from './commits.ts';
import { readGoal } from './goal-row.ts';
import { heldBy, type LockedGoal, lockGoal, type Revision, saveRevision } from './goal-state.ts';
import { canonicalJson, storable, storableText } from './json.ts';
import type { Execution, MutationResult } from './ports.ts';

/** What the request's body may hold; mutations carry ids, texts stay in the record. */
interface RequestBody {
  readonly text?: string;
  readonly note?: string;
  readonly result?: string;
  readonly objective?: string;
  readonly model?: string;
  readonly criteria?: readonly Criterion[];
}

/** One mutation, one revision: validated again under the lock, with its texts from the request. */
export async function commitMutation(
  tx: Transaction,
  execution: Execution | null,
  mutation: Mutation,
  goalId: string,
): Promise<MutationResult> {
  const locked = await lockGoal(tx, goalId);
  if (locked === null) throw new Refusal('not_found', `No such goal: ${goalId}`);
  const known = await readCommit<MutationResult>(tx, goalId, mutation.commitId);
  if (known !== null) return known;
  const goal = execution === null ? locked : heldBy(locked, execution);
  const now = new Date().toISOString();
  const ground: MutationGround = {
    state: goal.state,
    usage: goal.usage,
    subject: await readSubject(tx, goalId, mutation),
  };
  const mutated = applyMutation(ground, mutation, now);
  const body = await readBody(tx, mutation.commitId);
  await storeTexts(tx, goalId, mutation, body);
  const change = await revisionOf(tx, { goal, mutation, mutated, body, now });
  const epoch = execution === null ? { epoch: goal.state.epoch + 1 } : {};
  const state = await saveRevision(tx, goal, { ...change, ...epoch });
  const result = { state, needsStart: execution === null && isOpen(state.chart) };
  await storeCommit(tx, state, mutation.commitId, result);
  await answerRequest(tx, state, mutation.commitId);
  return result;
}

async function readSubject(
  tx: Transaction,
  goalId: string,
  mutation: Mutation,
): Promise<MutationGround['subject']> {
  if (mutation.kind === 'approval') {
    const [approval] = await tx<{ kind: string; state: string }[]>`
      SELECT kind, state FROM approval
      WHERE approval_id = ${mutation.approvalId} AND goal_id = ${goalId}`;
    if (approval === undefined) return null;
    return { kind: 'approval', approvalKind: approval.kind, isOpen: approval.state === 'open' };
  }
  if (mutation.kind === 'answer') {
    const [question] = await tx<{ answered_at: string | null }[]>`
      SELECT answered_at FROM question
      WHERE question_id = ${mutation.questionId} AND goal_id = ${goalId}`;
    return question === undefined
      ? null
      : { kind: 'question', isOpen: question.answered_at === null };
  }
  return null;
}

async function readBody(tx: Transaction, commitId: string): Promise<RequestBody> {
  const [request] = await tx<{ body: RequestBody | null }[]>`
    SELECT body FROM request WHERE commit_id = ${commitId}`;
  return request?.body ?? {};
}

/** What a person or program said, put where the next turn finds it. */
async function storeTexts(
  tx: Transaction,
  goalId: string,
  mutation: Mutation,
  body: RequestBody,
): Promise<void> {
  const send = (kind: string, text: string, delivery = 'pause', questionId: string | null = null) =>
    tx`
      INSERT INTO inbox (message_id, goal_id, kind, voice, text, delivery, question_id)
      VALUES (${`m-${mutation.commitId}`}, ${goalId}, ${kind},
        ${mutation.role === 'agent' ? 'agent' : 'person'}, ${storableText(text)}, ${delivery},
        ${questionId})`;
  switch (mutation.kind) {
    case 'message':
      await send('message', body.text ?? '', mutation.delivery);
      return;
    case 'answer':
      await tx`
        UPDATE question SET answer = ${storableText(body.text ?? '')},
          answered_by = ${mutation.by}, answered_at = now()
        WHERE question_id = ${mutation.questionId}`;
      await send('answer', body.text ?? '', 'pause', mutation.questionId);
      return;
    case 'approval':
      await tx`
        UPDATE approval SET note = ${body.note ?? null}, decided_by = ${mutation.by},
          state = ${mutation.decision === 'approve' ? 'approved' : 'denied'}, decided_at = now()
        WHERE approval_id = ${mutation.approvalId}`;
      if (mutation.decision === 'deny') await send('answer', body.note ?? DECLINED);
      return;
    default:
      return;
  }
}

const DECLINED = 'Your claim to be done was looked at and not accepted.';

interface Ground {
  readonly goal: LockedGoal;
  readonly mutation: Mutation;
  readonly mutated: Mutated;
  readonly body: RequestBody;
  readonly now: string;
}

async function revisionOf(tx: Transaction, ground: Ground): Promise<Revision> {
  const { goal, mutation, mutated, body, now } = ground;
  const { chart, counters, budget, policy } = mutated;
  const completion = await completionOf(tx, ground);
  const changesCriteria = mutation.kind === 'amend' && body.criteria !== undefined;
  return {
    chart,
    counters,
    budget,
    policy,
    now,
    events: [
      { type: `goal.${EVENT_OF[mutation.kind]}`, data: { by: mutation.by, role: mutation.role } },
    ],
    ...(completion === null ? {} : { completion }),
    ...(mutation.kind === 'amend' ? amended(body) : {}),
    ...(changesCriteria
      ? {
          criteria: mergeCriteria(goal.criteria, body.criteria ?? []),
          criteriaRevision: goal.state.criteriaRevision + 1,
        }
      : {}),
  };
}

const EVENT_OF: Record<Mutation['kind'], string> = {
  pause: 'paused',
  resume: 'resumed',
  amend: 'amended',
  message: 'messaged',
  answer: 'answered',
  approval: 'decided',
  complete: 'completed',
  clear: 'cleared',
};

const amended = ({ objective, model }: RequestBody) => ({
  ...(objective === undefined ? {} : { objective: storableText(objective) }),
  ...(model === undefined ? {} : { model }),
});

/** A criterion that says the same keeps its id and baseline; the others are new and unproven. */
function mergeCriteria(
  current: readonly TrackedCriterion[],
  wanted: readonly Criterion[],
): TrackedCriterion[] {
  const left = [...current];
  let newest = Math.max(0, ...current.map(({ criterionId }) => Number(criterionId.slice(1)) || 0));
  return wanted.map((spec): TrackedCriterion => {
    const text = canonicalJson(spec);
    const index = left.findIndex((criterion) => canonicalJson(criterion.spec) === text);
    const [kept] = index === -1 ? [] : left.splice(index, 1);
    if (kept !== undefined) return kept;
    newest += 1;
    return {
      criterionId: `c${newest}`,
      spec,
      state: 'unmet',
      baseline: 'not_run',
      origin: 'caller',
      receipts: [],
    };
  });
}

async function completionOf(tx: Transaction, ground: Ground): Promise<Completion | null> {
  const { goal, mutation, mutated, body, now } = ground;
  if (mutated.completion === null) return null;
  const { goalId } = goal.state;
  const claim = mutation.kind === 'approval' ? await readClaim(tx, mutation.approvalId) : {};
  return {
    source: mutated.completion === 'person' ? 'person' : 'explicit',
    verification: 'accepted_by_person',
    result: (body.result ?? claim.result ?? '').slice(0, 8000),
    changedFiles: await readChangedFiles(tx, goalId),
    receipts: claim.receipts ?? [...new Set(goal.criteria.flatMap(({ receipts }) => receipts))],
    at: now,
  };
}

async function readClaim(
  tx: Transaction,
  approvalId: string,
): Promise<{ result?: string; receipts?: number[] }> {
  const [approval] = await tx<{ data: { result?: string; receipts?: number[] } }[]>`
    SELECT data FROM approval WHERE approval_id = ${approvalId}`;
  return approval?.data ?? {};
}

/** In this transaction, so that a retry after a crash finds the answer that its commit deserves. */
async function answerRequest(
  tx: Transaction,
  { goalId }: GoalState,
  commitId: string,
): Promise<void> {
  const goal = await readGoal(tx, goalId);
  await tx`
    UPDATE request SET goal_id = ${goalId}, http_status = 200, answer = ${tx.json(storable(goal))},
      answered_at = now()
    WHERE commit_id = ${commitId} AND http_status IS NULL`;
}
