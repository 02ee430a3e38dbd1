import type { Completion } from '../../../schema/goal.ts';
import type { Mutation } from '../../contract/mutation.ts';
import type { Transaction } from '../client.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { completionSealed, readApprovalsSealed } from '../ledger/sealed-contents.ts';
import { sealBeginning, storeSeals } from '../ledger/store-seals.ts';
import type { LockedGoal } from '../locked-goal.ts';

interface DecidedByMutation {
  readonly goal: LockedGoal;
  readonly mutation: Mutation;
  readonly completion: Completion | undefined;
  readonly now: string;
}

/** Seals an approval with its answer, and the completion, if the mutation decided any. */
export async function sealDecided(
  tx: Transaction,
  keys: LedgerKeys,
  { goal, mutation, completion, now }: DecidedByMutation,
): Promise<void> {
  const { ledger, sealEnd: end } = goal;
  const { goalId } = goal.state;
  if (keys.sealing === null) return;
  const sealed = [
    ...(mutation.kind === 'approval'
      ? await readApprovalsSealed(tx, goalId, mutation.approvalId)
      : []),
    ...(completion === undefined ? [] : [completionSealed(completion)]),
  ];
  if (sealed.length === 0) return;
  await sealBeginning(tx, keys, goalId);
  await storeSeals(tx, keys, { goalId, end, ledger, at: now }, sealed);
}
