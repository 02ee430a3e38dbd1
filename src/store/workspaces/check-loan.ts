import type { CheckLoans } from '../../contract/check-loans.ts';
import { Refusal } from '../../contract/failures.ts';
import { type Database, withTypedErrors } from '../client.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { refusedTeller } from '../ledger/tell-refused.ts';
import { ALTERED_WORKSPACE, isWorkspaceIntact, readWorkspace } from '../ledger/workspace-seal.ts';
import { isFree } from './workspace-lease.ts';

export function createCheckLoans(db: Database, keys: LedgerKeys): CheckLoans {
  const tell = refusedTeller(db, keys);
  return withTypedErrors<CheckLoans>({
    async pathOf(workspace, host) {
      const row = await readWorkspace(db, workspace);
      if (row !== null && !isWorkspaceIntact(keys, row)) {
        await tell(`workspace ${workspace}`, { path: row.path, host: row.host });
        const why = `${workspace}: ${ALTERED_WORKSPACE}.`;
        throw new Refusal('unknown_workspace', why, { field: 'workspace' });
      }
      if (row !== null && row.host === host) return row.path;
      throw new Refusal('unknown_workspace', `There is no workspace ${workspace} on this host.`);
    },

    async take({ checkId, workspace, host, workerId }) {
      await db.begin(async (tx) => {
        // The check's writes are unknown, so all earlier evidence counts as stale.
        const taken = await tx`
          UPDATE workspace SET lease_check_id = ${checkId}, leased_at = now(),
            write_seq = write_seq + 1
          WHERE name = ${workspace} AND host = ${host} AND ${isFree(tx)}
            AND NOT EXISTS (SELECT 1 FROM workspace_queue q WHERE q.workspace = ${workspace})`;
        if (taken.count === 0) throw busy(workspace);
        await tx`
          INSERT INTO check_run (check_id, host, worker_id)
          VALUES (${checkId}, ${host}, ${workerId})`;
      });
    },

    async recordHelper({ checkId, workspace }, helper) {
      const recorded = await db`
        UPDATE check_run SET helper_pid = ${helper.pid}, helper_started_at = ${helper.startedAt},
          helper_is_init = ${helper.isInit ?? false}
        WHERE check_id = ${checkId} AND EXISTS (
          SELECT 1 FROM workspace WHERE name = ${workspace} AND lease_check_id = ${checkId})`;
      if (recorded.count === 0) throw busy(workspace);
    },

    async giveBack({ checkId, workspace }) {
      await endCheck(db, workspace, checkId);
    },
  });
}

/** @returns false when the check no longer held the workspace */
export function endCheck(db: Database, workspace: string, checkId: string): Promise<boolean> {
  return db.begin(async (tx) => {
    const released = await tx`
      UPDATE workspace SET lease_check_id = NULL, leased_at = NULL
      WHERE name = ${workspace} AND lease_check_id = ${checkId}`;
    await tx`DELETE FROM check_run WHERE check_id = ${checkId}`;
    return released.count === 1;
  });
}

const busy = (workspace: string): Refusal =>
  new Refusal(
    'workspace_busy',
    `A goal works in ${workspace} now, or waits for it: try again when it paused or ended.`,
    { field: 'workspace' },
  );
