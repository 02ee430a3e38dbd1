import type { Goal } from '../../../schema/goal.ts';
import { Refusal } from '../../contract/failures.ts';
import type { IntakePort, NewGoal, StoredRequest, Tree } from '../../contract/intake.ts';
import type { Execution } from '../../contract/record.ts';
import type { Owned } from '../../contract/sight.ts';
import { sees } from '../../policy/sight.ts';
import type { Database, Transaction } from '../client.ts';
import { storable } from '../json.ts';
import { type LedgerKeys, noKeys } from '../ledger/ledger-keys.ts';
import { notifyCancel } from '../notices/notifier.ts';
import { readGoal } from '../reads/goal-row.ts';
import { originOf } from '../reads/in-sight.ts';
import { archive, lockThread } from '../record/archive.ts';
import { handConversation } from '../record/hand-conversation.ts';
import type { Row } from '../row.ts';
import { insertGoal } from './insert-goal.ts';
import { registerTree } from './register-tree.ts';
import { insertRequest } from './requests.ts';

type Slot = Parameters<IntakePort['startGoal']>[2];

interface Start {
  readonly goal: NewGoal;
  readonly slot: Slot;
  /** Registered with the goal, or not at all. */
  readonly tree: Tree | null;
}

type Accepted = Awaited<ReturnType<IntakePort['startGoal']>>;

/** Accepts a goal into its thread's one slot, and archives what it replaces. */
export async function startGoal(
  db: Database,
  keys: LedgerKeys,
  request: StoredRequest,
  start: Start,
  notify: (goalId: string) => void = () => {},
): Promise<Accepted> {
  const accepted = await db.begin((tx) => accept(tx, keys, request, start));
  notify(accepted.goal.goalId);
  if (accepted.replaced !== null) {
    notify(accepted.replaced.goalId);
    await notifyCancel(db, accepted.replaced.goalId);
  }
  return accepted;
}

async function accept(
  tx: Transaction,
  keys: LedgerKeys,
  request: StoredRequest,
  { goal, slot, tree }: Start,
): Promise<Accepted> {
  const known = await insertRequest(tx, keys, request);
  if (known.httpStatus !== null) {
    return { goal: known.answer as Goal, isNew: false, replaced: null };
  }
  await refuseSecond(tx, goal.goalId);
  const { before, replaced } = await freeSlot(tx, keys, goal, slot);
  if (tree !== null) await registerTree(tx, keys, tree);
  const continues = goal.continuesThread === true ? before : null;
  await insertGoal(tx, keys, request.principal, { ...goal, continues });
  if (continues !== null) await handConversation(tx, keys, continues, goal.goalId);
  const accepted = await readGoal(tx, noKeys, goal.goalId);
  if (accepted === null) throw new TypeError(`${goal.goalId} was not inserted`);
  await tx`
    UPDATE request SET goal_id = ${goal.goalId}, http_status = 201,
      answer = ${tx.json(storable(accepted))}, answered_at = now()
    WHERE commit_id = ${known.commitId}`;
  return { goal: accepted, isNew: true, replaced };
}

/** What a schedule or trigger begins has one name: somebody took away the request that began it. */
async function refuseSecond(tx: Transaction, goalId: string): Promise<void> {
  const known = await tx`
    SELECT 1 FROM goal WHERE goal_id = ${goalId}
    UNION ALL SELECT 1 FROM removed_goal WHERE goal_id = ${goalId}`;
  if (known.count > 0)
    throw new Refusal('idempotency_mismatch', `${goalId} was begun for it before.`);
}

type Current = Row<'goal', 'goal_id' | 'status' | 'revision'> & Owned;

interface Freed {
  /** The goal that was in the slot; null = the thread had none. */
  readonly before: string | null;
  /** Its run, which ends now; null = nothing runs. */
  readonly replaced: Execution | null;
}

/** Starts of one thread run one at a time; the unique index is a second safeguard. */
async function freeSlot(
  tx: Transaction,
  keys: LedgerKeys,
  { goalId, threadId }: NewGoal,
  slot: Slot,
): Promise<Freed> {
  await lockThread(tx, threadId);
  // A plan that was handed over while this waited for its row has left another goal in the slot.
  const current = (await lockCurrent(tx, threadId)) ?? (await lockCurrent(tx, threadId));
  if (current !== undefined && !sees(slot.sight, current)) {
    throw new Refusal('goal_conflict', 'The thread is in use: take another one.');
  }
  assertExpected(current, slot);
  if (current === undefined) return { before: null, replaced: null };
  const isReplaceable = slot.replace && slot.expectedGoalId === current.goal_id;
  if (current.status !== 'complete' && !isReplaceable) {
    throw conflict(
      current,
      slot,
      'The thread has an unfinished goal: replace it, or use another thread',
    );
  }
  const before = current.goal_id;
  return { before, replaced: await archive(tx, keys, before, goalId) };
}

async function lockCurrent(tx: Transaction, threadId: string): Promise<Current | undefined> {
  const [current] = await tx<Current[]>`
    SELECT g.goal_id, g.status, g.revision, g.created_by AS "startedBy",
      ${originOf(tx)} AS workspace
    FROM goal g WHERE g.thread_id = ${threadId} AND g.archived_at IS NULL FOR UPDATE`;
  return current;
}

function assertExpected(current: Current | undefined, slot: Slot): void {
  const { expectedGoalId, expectedRevision } = slot;
  if (expectedGoalId === undefined || expectedGoalId === (current?.goal_id ?? null)) {
    if (expectedRevision === undefined || expectedRevision === current?.revision) return;
    throw conflict(current, slot, `Revision ${expectedRevision} was expected in this thread`);
  }
  throw conflict(
    current,
    slot,
    expectedGoalId === null
      ? 'No goal was expected in this thread, but there is one'
      : `${expectedGoalId} is not the current goal of this thread`,
  );
}

function conflict(current: Current | undefined, slot: Slot, detail: string): Refusal {
  return new Refusal('goal_conflict', detail, {
    expectedGoalId: slot.expectedGoalId ?? null,
    expectedRevision: slot.expectedRevision ?? null,
    actualGoalId: current?.goal_id ?? null,
    actualRevision: current?.revision ?? null,
    actualStatus: current?.status ?? null,
  });
}
