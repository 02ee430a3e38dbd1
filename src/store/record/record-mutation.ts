import type { BudgetInput } from '../../../schema/budget.ts';
import type { Criterion } from '../../../schema/criteria.ts';
import type { Completion, Mode } from '../../../schema/goal.ts';
import type { NotifyTarget } from '../../../schema/notify.ts';
import type { RequirementInput } from '../../../schema/requirement.ts';
import type { ToolRule } from '../../../schema/tool-rule.ts';
import type { Evidence } from '../../contract/evidence.ts';
import { Refusal } from '../../contract/failures.ts';
import type { GoalState } from '../../contract/goal-state.ts';
import type { Mutation, MutationContext } from '../../contract/mutation.ts';
import type { OrderRef } from '../../contract/orders.ts';
import type { Execution, MutationResult } from '../../contract/record.ts';
import { isOpen, statusOf } from '../../goal/chart/view.ts';
import { asksAnew } from '../../record/mutation/event.ts';
import { followUpsOfMutation } from '../../record/mutation/follow-ups.ts';
import { applyMutation, assertAcceptable, type Mutated } from '../../record/mutation/mutate.ts';
import { isByProgram } from '../../record/mutation/persons-word.ts';
import { trimmed } from '../../record/summary.ts';
import { storeAnswer } from '../approvals/questions.ts';
import { giveToGoal } from '../attachments/contents.ts';
import { readChangedFiles } from '../changed-files.ts';
import type { Transaction } from '../client.ts';
import { readCommit, storeCommit } from '../commits.ts';
import { restartChain, takeFromParent } from '../delegates/delegates.ts';
import { decideDispute, liftDisputes, readDisputeSubject } from '../disputes/disputes.ts';
import type { NewEvent } from '../events.ts';
import { readOrder } from '../intake/orders.ts';
import { chargeLostSteps } from '../journal/lost-steps.ts';
import { storeToldBySession } from '../journal/session-reports.ts';
import { readMessageSubject, takeBack } from '../journal/taken-back.ts';
import { storable, storableText } from '../json.ts';
import { assertUnaltered } from '../ledger/altered-goal.ts';
import { type LedgerKeys, noKeys } from '../ledger/ledger-keys.ts';
import { sealingDecided } from '../ledger/seal-decided.ts';
import { appendToSecurityLog } from '../ledger/security-entries.ts';
import { changingUsage } from '../ledger/usage-seal.ts';
import type { LockedGoal } from '../locked-goal.ts';
import { readGoal } from '../reads/goal-row.ts';
import { readIsolation } from '../reads/isolation.ts';
import { editByPerson } from '../requirements/requirements.ts';
import type { Row } from '../row.ts';
import { sendToInbox } from '../send-to-inbox.ts';
import { stopCommandsOf } from '../waits/call-stops.ts';
import { orderRewind } from '../workspaces/rewinds.ts';
import { mergeCriteria } from './amend-criteria.ts';
import { coverageByPerson } from './coverage.ts';
import { decideApproval, readApprovalSubject } from './decide-approval.ts';
import { heldBy, lockGoal, type Revision, saveRevision } from './goal-state.ts';
import { executingIdOf, handOver } from './hand-over.ts';

/** The request's body: mutations carry ids, texts stay in the record. */
interface RequestBody {
  readonly text?: string;
  readonly option?: number;
  readonly note?: string;
  readonly result?: string;
  readonly objective?: string;
  readonly model?: string;
  readonly fallbackModel?: string | null;
  readonly criteria?: readonly Criterion[];
  readonly requirements?: readonly RequirementInput[];
  readonly removeRequirements?: readonly string[];
  readonly policy?: { readonly tools?: readonly ToolRule[] };
  readonly notify?: readonly NotifyTarget[];
  readonly mode?: Mode;
  readonly priority?: number;
  readonly dropThen?: true;
  /** Of an approved plan. */
  readonly plan?: string;
  readonly budget?: BudgetInput;
}

/** One mutation, one revision: as it was ordered, validated under the lock. */
export async function commitMutation(
  tx: Transaction,
  keys: LedgerKeys,
  execution: Execution | null,
  { goalId, commitId, isTurnOver = false }: OrderRef & { readonly goalId: string },
): Promise<MutationResult> {
  const locked = await lockGoal(tx, goalId);
  if (locked === null) throw new Refusal('not_found', `No such goal: ${goalId}`);
  const known = await readCommit<MutationResult>(tx, goalId, commitId);
  if (known !== null) return known;
  const goal = execution === null ? locked : heldBy(locked, execution);
  const { mutation, body } = await readOrder<RequestBody>(tx, keys, goalId, commitId);
  if (mutation.kind === 'rewind') {
    if (execution === null) throw notHeld(goal);
    assertAcceptable(goal.state, mutation);
    if (!isTurnOver) return { state: goal.state, needsStart: false, rewind: mutation.to };
  }
  assertJudged(goal, mutation);
  const result = await sealingDecided(tx, keys, goal, () =>
    decide(tx, keys, { goal, mutation, body, isHeldByRun: execution !== null }),
  );
  await tellOfRule(tx, keys, goalId, mutation);
  return result;
}

/** In the security log, whose end stays locked until the transaction ends. */
async function tellOfRule(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  mutation: Mutation,
): Promise<void> {
  if (mutation.kind !== 'approval' || mutation.always === undefined) return;
  const { by: who, role, approvalId } = mutation;
  const { address } = mutation.always;
  const [rule] = await tx<Row<'stored_rule', 'rule_id' | 'workspace' | 'covers'>[]>`
    SELECT rule_id, workspace, covers FROM stored_rule WHERE approval_id = ${approvalId}`;
  if (rule === undefined) return;
  const { rule_id: subject, workspace, covers } = rule;
  const data = { workspace, covers, goalId, approvalId };
  const entry = { who, role, address, subject, data };
  await appendToSecurityLog(tx, keys, { ...entry, what: 'rule_made', result: 'done' });
}

const givenIn = ({ note, plan, criteria, budget }: RequestBody) => ({
  ...(note === undefined ? {} : { note }),
  ...(plan === undefined ? {} : { plan }),
  ...(criteria === undefined ? {} : { criteria }),
  ...(budget === undefined ? {} : { budget }),
});

interface Judged {
  readonly goal: LockedGoal;
  readonly mutation: Mutation;
  readonly body: RequestBody;
  readonly isHeldByRun: boolean;
}

async function decide(
  tx: Transaction,
  keys: LedgerKeys,
  { goal, mutation, body, isHeldByRun }: Judged,
): Promise<MutationResult> {
  const { goalId } = goal.state;
  const { now } = goal;
  const subject = await readSubject(tx, goalId, mutation);
  const ground: MutationContext = { state: goal.state, usage: goal.usage, subject };
  const mutated = applyMutation(ground, mutation, now);
  // It was taken back before: the same answer, and nothing of the goal changes.
  if (subject?.kind === 'message' && subject.turn === 0) return await sameAgain(tx, goal, mutation);
  if (mutated.completion === 'approved_plan') await assertUnaltered(tx, keys, goalId);
  await storeTexts(tx, keys, goal.state, mutation, body);
  const followUps = followUpsOfMutation(goal.state, mutation, {
    isOver: mutated.archived || mutated.completion !== null,
    isHeldByRun,
  });
  if (followUps.chargesLostSteps) await chargeLostSteps(tx, keys, goalId);
  const decided =
    mutation.kind === 'approval'
      ? await decideApproval(tx, keys, goal, mutation, givenIn(body))
      : {};
  const change = await revisionOf(tx, { goal, mutation, mutated, body, now });
  const epoch = !isHeldByRun ? { epoch: goal.state.epoch + 1 } : {};
  const state = await saveRevision(tx, keys, goal, { ...change, ...decided, ...epoch });
  if (mutated.completion === 'approved_plan' && ground.subject?.kind === 'approval') {
    const approved = { text: change.completion?.result ?? '', callId: ground.subject.callId ?? '' };
    await handOver(tx, keys, goal, approved, body);
  }
  if (mutation.kind === 'rewind')
    await orderRewind(tx, keys, { ...state, workspaceName: goal.workspaceName }, mutation);
  if (followUps.restartsChain) await restartChain(tx, keys, goalId, 'person');
  if (followUps.leavesParentsPause) await takeFromParent(tx, keys, goalId);
  const isSaidByAgent = mutation.kind === 'message' && isByProgram(mutation);
  // It was heard by nobody who waits.
  const isQuiet = isSaidByAgent && mutated.chart === goal.state.chart;
  const handed = mutated.completion === 'approved_plan' ? { handedTo: executingIdOf(goalId) } : {};
  const result = { state, needsStart: !isHeldByRun && isOpen(state.chart), isQuiet, ...handed };
  await storeCommit(tx, state, mutation.commitId, result);
  await answerRequest(tx, state, mutation.commitId);
  return result;
}

async function sameAgain(
  tx: Transaction,
  { state }: LockedGoal,
  { commitId }: Mutation,
): Promise<MutationResult> {
  const result = { state, needsStart: false, isQuiet: true };
  await storeCommit(tx, state, commitId, result);
  await answerRequest(tx, state, commitId);
  return result;
}

async function readSubject(
  tx: Transaction,
  goalId: string,
  mutation: Mutation,
): Promise<MutationContext['subject']> {
  if (mutation.kind === 'approval') return readApprovalSubject(tx, goalId, mutation.approvalId);
  if (mutation.kind === 'dispute') return readDisputeSubject(tx, goalId, mutation.disputeId);
  if (mutation.kind === 'take_back') return readMessageSubject(tx, goalId, mutation.messageId);
  if (mutation.kind === 'answer') {
    const [question] = await tx<Row<'question', 'answered_at'>[]>`
      SELECT answered_at FROM question
      WHERE question_id = ${mutation.questionId} AND goal_id = ${goalId}`;
    return question === undefined
      ? null
      : { kind: 'question', isOpen: question.answered_at === null };
  }
  return null;
}

/** Only an execution can finish a rewind. */
const notHeld = ({ state }: LockedGoal): Refusal =>
  new Refusal(
    'invalid_transition',
    statusOf(state.chart) === 'complete'
      ? 'A goal that is complete cannot take "rewind": look at its diff, and start a new goal'
      : 'Nothing runs the goal at the moment: resume it, pause it, then rewind it',
    { status: statusOf(state.chart), mutation: 'rewind', revision: state.revision },
  );

/** Concurrent changes of models and cost limit, valid alone, may combine to an unknown cost. */
function assertJudged({ state, model, fallbackModel }: LockedGoal, mutation: Mutation): void {
  const judged = mutation.kind === 'amend' ? mutation.judged : undefined;
  if (judged === undefined) return;
  const isSameModels = judged.model === model && judged.fallbackModel === fallbackModel;
  if (isSameModels && judged.costUsd === state.budget.costUsd) return;
  const { goalId, revision } = state;
  throw new Refusal('goal_conflict', 'A model or the cost limit was changed at the same time', {
    expectedGoalId: goalId,
    actualGoalId: goalId,
    expectedRevision: mutation.expectedRevision ?? null,
    actualRevision: revision,
  });
}

type Spoken = Extract<Mutation, { kind: 'message' | 'answer' }>;

/** They belong to the goal from the commit on that carries them. */
async function giveFiles(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  mutation: Spoken,
): Promise<void> {
  const { kind: source, commitId, attachments = [] } = mutation;
  await giveToGoal(tx, keys, { goalId, source, sourceId: `m-${commitId}` }, attachments);
}

/** Stores texts of people and programs for the next turn. */
async function storeTexts(
  tx: Transaction,
  keys: LedgerKeys,
  state: GoalState,
  mutation: Mutation,
  body: RequestBody,
): Promise<void> {
  const { goalId } = state;
  switch (mutation.kind) {
    case 'message':
      await sendToInbox(tx, keys, {
        ...{ messageId: `m-${mutation.commitId}`, goalId, kind: 'message' },
        voice: isByProgram(mutation) ? 'agent' : 'person',
        ...{ text: body.text ?? '', attachments: mutation.attachments ?? [] },
        delivery: state.isExternal === true ? 'pause' : mutation.delivery,
        ...{ sentBy: mutation.by, hasLedOn: statusOf(state.chart) === 'paused' },
      });
      await giveFiles(tx, keys, goalId, mutation);
      if (mutation.stopsCommand === true && state.isTurnOpen)
        await stopCommandsOf(tx, state, mutation.by);
      return;
    case 'take_back':
      await takeBack(tx, goalId, mutation);
      return;
    case 'prompt':
    case 'end_turn':
      await changingUsage(tx, keys, goalId, () =>
        storeToldBySession(tx, keys, state, mutation, storableText(body.text ?? '')),
      );
      return;
    case 'answer':
      await storeAnswer(tx, keys, goalId, mutation, body);
      await giveFiles(tx, keys, goalId, mutation);
      return;
    case 'dispute':
      await decideDispute(tx, keys, goalId, mutation, body.note ?? null);
      return;
    case 'amend':
      if (mutation.changesCriteria) await liftDisputes(tx, keys, goalId, mutation);
      if (mutation.changesRequirements === true) await editByPerson(tx, keys, goalId, body);
      if (body.dropThen === true)
        await tx`DELETE FROM following_goals WHERE goal_id = ${goalId} AND begun_goal_id IS NULL`;
      return;
    default:
      return;
  }
}

interface CommittedMutation {
  readonly goal: LockedGoal;
  readonly mutation: Mutation;
  readonly mutated: Mutated;
  readonly body: RequestBody;
  readonly now: string;
}

async function revisionOf(tx: Transaction, ground: CommittedMutation): Promise<Revision> {
  const { goal, mutation, mutated, body, now } = ground;
  const { chart, counters, budget, policy } = mutated;
  const completion = await completionOf(tx, ground);
  const changesCriteria = mutation.kind === 'amend' && body.criteria !== undefined;
  const changesRequirements = mutation.kind === 'amend' && mutation.changesRequirements === true;
  const mode = mutation.kind === 'amend' ? mutation.mode : undefined;
  const changesMode = mode !== undefined && mode !== goal.state.mode;
  return {
    chart,
    counters,
    budget,
    policy,
    now,
    events: eventsOf(ground),
    ...(completion === null ? {} : { completion }),
    ...(mutation.kind === 'amend' ? amended(body) : {}),
    ...(changesCriteria ? { criteria: await mergeCriteria(tx, goal, body.criteria ?? []) } : {}),
    ...(changesMode ? { mode } : {}),
    ...(mutation.kind === 'amend' ? { asksAnew: asksAnew(goal.state, mutation) } : {}),
    ...(changesCriteria || changesRequirements || changesMode
      ? { criteriaRevision: goal.state.criteriaRevision + 1 }
      : {}),
  };
}

/** Accepting a claim completes the goal: the event has the same name for every way to complete. */
function eventsOf({ goal, mutation, mutated, body }: CommittedMutation): NewEvent[] {
  const { by, role } = mutation;
  const event: NewEvent = { type: `goal.${EVENT_OF[mutation.kind]}`, data: { by, role } };
  if (mutation.kind === 'dispute') {
    const { disputeId, decision } = mutation;
    return [{ type: event.type, data: { by, role, disputeId, decision } }];
  }
  if (mutation.kind === 'take_back') {
    const { messageId } = mutation;
    return [{ type: event.type, data: { by, role, messageId } }];
  }
  if (mutation.kind !== 'approval') return [event];
  const { approvalId, decision, always } = mutation;
  const isEdited = decision === 'approve' && mutated.completion === null && body.criteria;
  const forGood = {
    ...(always === undefined ? {} : { always: true }),
    ...(isEdited ? { edited: true } : {}),
  };
  const decided = { type: event.type, data: { by, role, approvalId, decision, ...forGood } };
  if (mutated.completion === null) return [decided];
  const completed = { type: 'goal.completed', data: { by, role, approvalId } };
  if (mutated.completion !== 'approved_plan') return [decided, completed];
  const handed = { type: 'goal.handed_over', data: { goalId: executingIdOf(goal.state.goalId) } };
  return [decided, completed, handed];
}

const EVENT_OF: Record<Mutation['kind'], string> = {
  pause: 'paused',
  resume: 'resumed',
  amend: 'amended',
  message: 'messaged',
  take_back: 'message_taken_back',
  prompt: 'prompted',
  end_turn: 'session_stopped',
  answer: 'answered',
  approval: 'decided',
  dispute: 'dispute_decided',
  cancel_chain: 'chain_cancelled',
  rewind: 'rewind_ordered',
  complete: 'completed',
  clear: 'cleared',
};

const amended = ({ objective, model, fallbackModel, policy, notify, priority }: RequestBody) => ({
  ...(priority === undefined ? {} : { priority }),
  ...(notify === undefined ? {} : { notify }),
  ...(policy?.tools === undefined ? {} : { toolRules: policy.tools }),
  ...(objective === undefined ? {} : { objective: storableText(objective) }),
  ...(model === undefined ? {} : { model }),
  ...(fallbackModel === undefined ? {} : { fallbackModel }),
});

async function completionOf(
  tx: Transaction,
  ground: CommittedMutation,
): Promise<Completion | null> {
  const { goal, mutation, mutated, body, now } = ground;
  if (mutated.completion === null) return null;
  const { goalId } = goal.state;
  const claim = mutation.kind === 'approval' ? await readClaim(tx, mutation.approvalId) : {};
  return {
    source: mutated.completion === 'person' ? 'person' : 'explicit',
    verification: 'accepted_by_person',
    result: trimmed(body.result ?? body.plan ?? claim.result ?? '', 8000),
    ...(claim.command === undefined ? {} : { command: claim.command }),
    changedFiles: await readChangedFiles(tx, goalId),
    ...(await readIsolation(tx, goalId)),
    ...(await coverageByPerson(tx, goalId, claim.evidence)),
    receipts: claim.receipts ?? [...new Set(goal.criteria.flatMap(({ receipts }) => receipts))],
    at: now,
  };
}

interface AcceptedClaim {
  readonly result?: string;
  readonly command?: string;
  readonly receipts?: number[];
  readonly evidence?: Evidence | null;
}

async function readClaim(tx: Transaction, approvalId: string): Promise<AcceptedClaim> {
  const [approval] = await tx<{ data: AcceptedClaim }[]>`
    SELECT data FROM approval WHERE approval_id = ${approvalId}`;
  return approval?.data ?? {};
}

/** Answers the request in the same transaction, so that a retry after a crash finds the answer. */
async function answerRequest(
  tx: Transaction,
  { goalId }: GoalState,
  commitId: string,
): Promise<void> {
  // What this transaction completes is sealed behind this.
  const goal = await readGoal(tx, noKeys, goalId);
  await tx`
    UPDATE request SET goal_id = ${goalId}, http_status = 200, answer = ${tx.json(storable(goal))},
      body = body - 'notify', answered_at = now()
    WHERE commit_id = ${commitId} AND http_status IS NULL`;
}
