import { Superseded } from '../../contract/failures.ts';
import type { JournalPort } from '../../contract/journal.ts';
import type { Database } from '../client.ts';
import { lockFenced } from '../fence.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { countLook } from '../waits/elections.ts';
import {
  countLentAsWritten,
  isFree,
  isRewinding,
  type NotifyNext,
  notifyNext,
} from './workspace-lease.ts';

type Loans = Pick<JournalPort, 'borrowWorkspace' | 'returnWorkspace' | 'countLook'>;

/**
 * Loans for polls: a waiting goal released its workspace, so a poll takes it only while nobody
 * wants it.
 */
export function workspaceLoans(
  db: Database,
  keys: LedgerKeys,
  notify: NotifyNext | undefined,
): Loans {
  return {
    borrowWorkspace(fence, workspace) {
      return db.begin(async (tx) => {
        await lockFenced(tx, fence, 'beginning');
        // A leftover loan belongs to a poll that died; its writes are unknown.
        await countLentAsWritten(tx, fence.goalId, workspace);
        const taken = await tx`
          UPDATE workspace SET lease_goal_id = ${fence.goalId}, lease_epoch = ${fence.epoch},
            leased_at = now()
          WHERE name = ${workspace} AND (lease_goal_id = ${fence.goalId} OR ${isFree(tx)})
            AND NOT EXISTS (SELECT 1 FROM workspace_queue q WHERE q.workspace = ${workspace})`;
        return taken.count > 0;
      });
    },

    async returnWorkspace(fence, workspace) {
      try {
        await db.begin(async (tx) => {
          await lockFenced(tx, fence, 'ending');
          await tx`
            UPDATE workspace SET lease_goal_id = NULL, lease_epoch = NULL, leased_at = NULL
            WHERE name = ${workspace} AND lease_goal_id = ${fence.goalId}
              AND NOT ${isRewinding(tx, fence.goalId)}`;
        });
      } catch (error) {
        // A later attempt holds the goal and the workspace.
        if (error instanceof Superseded) return;
        throw error;
      }
      if (notify !== undefined) await notifyNext(db, fence.goalId, notify);
    },

    countLook: ({ goalId }, wait, seen) => countLook(db, keys, goalId, wait, seen),
  };
}
