import { createHash } from 'node:crypto';
import type { DelegateOutcome, DelegateReturn } from '../../../schema/delegate.ts';
import type { CallEnd } from '../../contract/tool-call.ts';
import type { DelegateFacts } from '../../contract/turn-facts.ts';
import { notBegunText, reportText } from '../../record/delegates/delegate-text.ts';
import {
  awaitedReturns,
  type DelegateEnd,
  deliveryOf,
  type WantedOfDelegate,
} from '../../record/delegates/delegates.ts';
import { readChangedFiles } from '../changed-files.ts';
import type { Executor, Transaction } from '../client.ts';
import { storable, storableText } from '../json.ts';
import {
  changeDelegates,
  type DelegateRow,
  type LockedDelegate,
  lockingDelegates,
  sealNewDelegate,
  settingDelegates,
} from '../ledger/delegate-seal.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import type { Row } from '../row.ts';
import { sendToInbox } from '../send-to-inbox.ts';
import { readBranch } from '../workspaces/worktrees.ts';

/*
 * Lock order: a transaction locks the row of a running delegate after all its other locks, both the
 * goal's own row as a delegate and the rows of its delegates. Only the goal's own transactions lock
 * both, and they run one after the other, so parent and child can't deadlock. Neither needs the
 * other's goal row.
 */

/** Made from goal and call, so that settling a call twice stages nothing twice. */
export const delegateIdOf = (goalId: string, callId: string): string =>
  `d-${goalId.replace(/^g-/, '')}-${callId.replaceAll('.', '-')}`;

export const childIdOf = (delegateId: string): string =>
  `g-${createHash('sha256').update(delegateId).digest('hex').slice(0, 16)}`;

/** Stages a delegate in the transaction that settles the call. */
export async function stageDelegate(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  end: CallEnd,
): Promise<void> {
  const { delegate, callId, turn } = end;
  if (delegate === undefined) return;
  const { task, files, mode, returns, delaySeconds } = delegate;
  const delegateId = delegateIdOf(goalId, callId);
  const { count } = await tx`
    INSERT INTO delegate (delegate_id, parent_goal_id, call_id, turn, task, files, mode, returns,
      delay_seconds, state)
    VALUES (${delegateId}, ${goalId}, ${callId}, ${turn}, ${storableText(task)},
      ${tx.json(storable(files))}, ${mode}, ${returns}, ${delaySeconds}, 'staged')
    ON CONFLICT (delegate_id) DO NOTHING`;
  if (count > 0) await sealNewDelegate(tx, keys, delegateId);
}

export interface OwnDelegates extends DelegateFacts {
  /** Asked for in the turn that runs. */
  readonly staged: number;
}

/** `awaited`: those whose result will wake the goal; `unread`: results that no turn has taken. */
export async function readOwnDelegates(sql: Executor, goalId: string): Promise<OwnDelegates> {
  const [row] = await sql<[OwnDelegates]>`
    SELECT
      (SELECT count(*)::int FROM inbox WHERE goal_id = ${goalId} AND taken_by_turn IS NULL
        AND kind = 'delegate') AS unread,
      (SELECT count(*)::int FROM inbox WHERE goal_id = ${goalId} AND taken_by_turn IS NULL
        AND kind = 'delegate' AND delivery <> 'silent') AS waking,
      (SELECT count(*)::int FROM delegate WHERE parent_goal_id = ${goalId}
        AND state IN ('staged', 'delayed', 'running')
        AND returns IN ${sql([...awaitedReturns])}) AS awaited,
      (SELECT count(*)::int FROM delegate WHERE parent_goal_id = ${goalId}
        AND state = 'staged') AS staged`;
  return row;
}

/** True when a result is there that wakes the goal. */
export async function hasWakingResult(sql: Executor, goalId: string): Promise<boolean> {
  return (await readOwnDelegates(sql, goalId)).waking > 0;
}

interface Letter {
  readonly delegateId: string;
  readonly parentGoalId: string;
  readonly returns: DelegateReturn;
  readonly text: string;
}

/** Writes one row per delegate into the parent's inbox, for every outcome. */
async function send(tx: Transaction, keys: LedgerKeys, letter: Letter): Promise<void> {
  const { delegateId, parentGoalId, returns, text } = letter;
  await sendToInbox(tx, keys, {
    ...{ messageId: `m-${delegateId}`, goalId: parentGoalId, kind: 'delegate', voice: 'host' },
    ...{ text, delivery: deliveryOf(returns) },
  });
}

/**
 * Reports the end of a delegate in the transaction that ends the child: its row leaves `running`,
 * which only one caller can do, its share is released, and its parent's inbox gets the result.
 */
export async function reportEnd(
  tx: Transaction,
  keys: LedgerKeys,
  childGoalId: string,
  end: DelegateEnd,
  result: string,
): Promise<void> {
  const [row] = await changeDelegates(
    tx,
    keys,
    tx<
      LockedDelegate[]
    >`${lockingDelegates(tx, tx`d.child_goal_id = ${childGoalId} AND d.state = 'running'`)}`,
    (ids) =>
      tx<
        DelegateRow[]
      >`${settingDelegates(tx, tx`state = 'ended', outcome = ${tx.json(storable(end))}, ended_at = now()`, ids)}`,
  );
  if (row === undefined) return;
  const receipts = await tx<Row<'ledger', 'seq'>[]>`
    SELECT seq FROM ledger WHERE goal_id = ${childGoalId} AND phase = 'settled'
      AND outcome = 'succeeded' AND coalesce(body->'receipt'->>'origin', 'model') = 'model'
    ORDER BY seq LIMIT 50`;
  const text = reportText({
    delegateId: row.delegate_id,
    goalId: childGoalId,
    task: row.task,
    end,
    result,
    receipts: receipts.map(({ seq }) => seq),
    changedFiles: await readChangedFiles(tx, childGoalId),
    branch: await readBranch(tx, childGoalId),
  });
  await send(tx, keys, toLetter(row, text));
}

const toLetter = (row: DelegateRow, text: string): Letter => ({
  delegateId: row.delegate_id,
  parentGoalId: row.parent_goal_id,
  returns: row.returns,
  text,
});

/**
 * Closes a delegate that never began, because a bound forbade it or its turn failed; the model is
 * told with its next turn.
 */
export async function closeUnbegun(
  tx: Transaction,
  keys: LedgerKeys,
  row: DelegateRow,
  state: 'refused' | 'dropped',
  outcome: DelegateOutcome,
): Promise<void> {
  await changeDelegates(
    tx,
    keys,
    tx<LockedDelegate[]>`${lockingDelegates(tx, tx`d.delegate_id = ${row.delegate_id}`)}`,
    (ids) =>
      tx<
        DelegateRow[]
      >`${settingDelegates(tx, tx`state = ${state}, outcome = ${tx.json(storable(outcome))}, ended_at = now()`, ids)}`,
  );
  await send(tx, keys, toLetter(row, notBegunText(row.delegate_id, row.task, outcome.reason)));
}

/**
 * Stores what the delegates have to do after a change of the goal's state, in its transaction. The
 * rows are the order; the reconciler repeats it until it is carried out.
 */
export async function leadDelegates(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  wanted: WantedOfDelegate,
): Promise<void> {
  await changeDelegates(
    tx,
    keys,
    tx<LockedDelegate[]>`${lockingDelegates(
      tx,
      tx`d.parent_goal_id = ${goalId} AND d.state = 'running'
      AND d.wanted NOT IN (${wanted}, 'stopped')`,
    )}`,
    (ids) => tx<DelegateRow[]>`${settingDelegates(tx, tx`wanted = ${wanted}`, ids)}`,
  );
  if (wanted !== 'stopped') return;
  const outcome = { kind: 'dropped', reason: 'the goal that asked for it stopped before it began' };
  await changeDelegates(
    tx,
    keys,
    tx<
      LockedDelegate[]
    >`${lockingDelegates(tx, tx`d.parent_goal_id = ${goalId} AND d.state IN ('staged', 'delayed', 'held')`)}`,
    (ids) =>
      tx<
        DelegateRow[]
      >`${settingDelegates(tx, tx`state = 'dropped', outcome = ${tx.json(outcome)}, ended_at = now()`, ids)}`,
  );
}

/** A delegate that was paused or resumed directly no longer follows its parent's pause. */
export async function takeFromParent(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
): Promise<void> {
  await changeDelegates(
    tx,
    keys,
    tx<
      LockedDelegate[]
    >`${lockingDelegates(tx, tx`d.child_goal_id = ${goalId} AND d.is_held_by_parent`)}`,
    (ids) => tx<DelegateRow[]>`${settingDelegates(tx, tx`is_held_by_parent = false`, ids)}`,
  );
}

/**
 * Ends the current chain of delegates, so that the next delegate begins a new one. A person's
 * message also drops delegates that have not begun.
 *
 * @param from the first turn of the new chain, or `person` for a person's message
 */
export async function restartChain(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  from: number | 'person',
): Promise<void> {
  const isPerson = from === 'person';
  await changeDelegates(
    tx,
    keys,
    tx<LockedDelegate[]>`${lockingDelegates(
      tx,
      tx`d.parent_goal_id = ${goalId} AND d.is_in_chain
      AND (${isPerson} OR d.turn < ${isPerson ? 0 : from}::int)`,
    )}`,
    (ids) => tx<DelegateRow[]>`${settingDelegates(tx, tx`is_in_chain = false`, ids)}`,
  );
  if (!isPerson) return;
  const delayed = await tx<DelegateRow[]>`
    SELECT * FROM delegate WHERE parent_goal_id = ${goalId} AND state = 'delayed'`;
  const outcome = { kind: 'dropped', reason: 'a person spoke before it began' } as const;
  for (const row of delayed) await closeUnbegun(tx, keys, row, 'dropped', outcome);
}
