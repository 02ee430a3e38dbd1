import type { Dispute, DisputeState } from '../../../schema/dispute.ts';
import type { StagedDispute } from '../../contract/dispute.ts';
import type { Fence } from '../../contract/fence.ts';
import type { AskedSubject, Mutation } from '../../contract/mutation.ts';
import { disputeIdOf } from '../../record/decision/apply-decision.ts';
import { disputeNotice } from '../../record/disputes/dispute-text.ts';
import type { Database, Executor, Transaction } from '../client.ts';
import { lockFenced } from '../fence.ts';
import { storable, storableText } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import type { Row } from '../row.ts';
import { sendToInbox } from '../send-to-inbox.ts';

/**
 * Keeps what the model disputes until its turn settles. A turn has one at most: that of an attempt
 * which died is overwritten.
 */
export async function stageDispute(
  db: Database,
  fence: Fence,
  { callId, turn, criterionId, body }: StagedDispute,
): Promise<void> {
  const { goalId } = fence;
  await db.begin(async (tx) => {
    await lockFenced(tx, fence, 'ending');
    await tx`
      INSERT INTO dispute (dispute_id, goal_id, criterion_id, call_id, turn, body, state)
      VALUES (${disputeIdOf(goalId, turn)}, ${goalId}, ${criterionId}, ${callId}, ${turn},
        ${tx.json(storable(body))}, 'staged')
      ON CONFLICT (dispute_id) DO UPDATE SET criterion_id = excluded.criterion_id,
        call_id = excluded.call_id, body = excluded.body
      WHERE dispute.state = 'staged'`;
  });
}

/** Opens what the settled turn staged where a person is asked about it, and drops it otherwise. */
export async function settleDispute(
  tx: Transaction,
  goalId: string,
  turn: number,
  opened: string | undefined,
): Promise<void> {
  if (opened !== undefined)
    await tx`
      UPDATE dispute SET state = 'open'
      WHERE goal_id = ${goalId} AND state = 'staged' AND dispute_id = ${opened}`;
  await tx`
    DELETE FROM dispute WHERE goal_id = ${goalId} AND state = 'staged' AND turn <= ${turn}`;
}

type DisputeRow = Row<
  'dispute',
  | 'dispute_id'
  | 'criterion_id'
  | 'turn'
  | 'body'
  | 'state'
  | 'decided_by'
  | 'note'
  | 'created_at'
  | 'decided_at'
> & { readonly state: DisputeState };

/** Oldest first. */
export async function readDisputes(sql: Executor, goalId: string): Promise<Dispute[]> {
  const rows = await sql<DisputeRow[]>`
    SELECT dispute_id, criterion_id, turn, body, state, decided_by, note, created_at, decided_at
    FROM dispute WHERE goal_id = ${goalId} AND state <> 'staged' ORDER BY turn`;
  return rows.map((row) => ({
    disputeId: row.dispute_id,
    goalId,
    criterionId: row.criterion_id,
    ...row.body,
    turn: row.turn,
    state: row.state,
    createdAt: row.created_at,
    decidedAt: row.decided_at,
    decidedBy: row.decided_by,
    note: row.note,
  }));
}

export async function readDisputeSubject(
  tx: Transaction,
  goalId: string,
  disputeId: string,
): Promise<AskedSubject | null> {
  const [row] = await tx<Row<'dispute', 'state'>[]>`
    SELECT state FROM dispute
    WHERE dispute_id = ${disputeId} AND goal_id = ${goalId} AND state <> 'staged'`;
  if (row === undefined) return null;
  const { state } = row;
  return { kind: 'dispute', isOpen: state === 'open', isSuperseded: state === 'superseded' };
}

/** A person's answer, with the host's message to the model where the goal goes on. */
export async function decideDispute(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  { disputeId, decision, by, commitId }: Extract<Mutation, { kind: 'dispute' }>,
  note: string | null,
): Promise<void> {
  const text = note === null ? null : storableText(note);
  const state = decision === 'insist' ? 'insisted' : 'infeasible';
  const [{ criterion_id: criterionId }] = await tx<[Row<'dispute', 'criterion_id'>]>`
    UPDATE dispute SET state = ${state}, decided_by = ${by}, decided_at = now(), note = ${text}
    WHERE dispute_id = ${disputeId} RETURNING criterion_id`;
  if (decision === 'insist') {
    await tell(tx, keys, goalId, `m-${commitId}`, disputeNotice('insisted', criterionId, text));
  }
}

/** The criteria were amended while one of them was disputed: that was the answer. */
export async function liftDisputes(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  { by, commitId }: Pick<Mutation, 'by' | 'commitId'>,
): Promise<void> {
  const rows = await tx<Row<'dispute', 'criterion_id'>[]>`
    UPDATE dispute SET state = 'amended', decided_by = ${by}, decided_at = now()
    WHERE goal_id = ${goalId} AND state = 'open' RETURNING criterion_id`;
  for (const { criterion_id: criterionId } of rows) {
    await tell(tx, keys, goalId, `m-${commitId}`, disputeNotice('amended', criterionId, null));
  }
}

/** The goal goes on, or is over, without an answer. */
export async function supersedeDisputes(tx: Transaction, goalId: string): Promise<void> {
  await tx`
    UPDATE dispute SET state = 'superseded', decided_at = now()
    WHERE goal_id = ${goalId} AND state = 'open'`;
}

const tell = (
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  messageId: string,
  text: string,
): Promise<void> =>
  sendToInbox(tx, keys, {
    ...{ messageId, goalId, kind: 'notice', voice: 'host', text, delivery: 'steer' },
  });
