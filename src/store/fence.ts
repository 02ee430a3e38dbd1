import { Closed, Superseded } from '../contract/failures.ts';
import type { Fence } from '../contract/fence.ts';
import type { Executor, Transaction } from './client.ts';
import type { Row } from './row.ts';

export type LockedJournal = Row<
  'journal',
  'ledger_seq' | 'ledger_head' | 'message_seq' | 'event_seq'
>;

export type Phase = 'beginning' | 'ending';

/** Locks the hot row for the rest of the transaction. @throws Superseded, Closed */
export async function lockFenced(
  tx: Transaction,
  fence: Fence,
  phase: Phase,
): Promise<LockedJournal> {
  const [journal] = await tx<LockedJournal[]>`
    SELECT ledger_seq, ledger_head, message_seq, event_seq FROM journal
    WHERE goal_id = ${fence.goalId} AND epoch = ${fence.epoch} AND token = ${fence.token}
      AND (is_open OR ${phase === 'ending'})
    FOR UPDATE`;
  return journal ?? (await throwStopped(tx, fence, phase));
}

/**
 * Throws the reason why a fenced statement changed nothing; returns if the fence isn't the reason.
 */
export async function assertFence(sql: Executor, fence: Fence, phase: Phase): Promise<void> {
  const [journal] = await sql<Row<'journal', 'epoch' | 'token' | 'is_open'>[]>`
    SELECT epoch, token, is_open FROM journal WHERE goal_id = ${fence.goalId}`;
  const { goalId, epoch, token } = fence;
  if (journal?.epoch !== epoch || journal.token !== token) {
    throw new Superseded(`${goalId}: attempt ${epoch}.${token} was replaced`);
  }
  if (phase === 'beginning' && !journal.is_open) {
    throw new Closed(`${goalId} takes no new steps and calls`);
  }
}

export async function throwStopped(sql: Executor, fence: Fence, phase: Phase): Promise<never> {
  await assertFence(sql, fence, phase);
  throw new Superseded(`${fence.goalId}: the attempt was replaced meanwhile`);
}
