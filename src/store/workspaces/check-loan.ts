import type { CheckLoans } from '../../contract/check-loans.ts';
import { Refusal } from '../../contract/failures.ts';
import { type Database, withTypedErrors } from '../client.ts';
import type { Row } from '../row.ts';

/** Prefix of the id under which a check without a goal holds a workspace. */
export const CHECK_PREFIX = 'check:';

export function createCheckLoans(db: Database): CheckLoans {
  return withTypedErrors<CheckLoans>({
    async pathOf(workspace, host) {
      const [row] = await db<Row<'workspace', 'path'>[]>`
        SELECT path FROM workspace WHERE name = ${workspace} AND host = ${host}`;
      if (row !== undefined) return row.path;
      throw new Refusal('unknown_workspace', `There is no workspace ${workspace} on this host.`);
    },

    async take({ checkId, workspace, host, workerId }) {
      await db.begin(async (tx) => {
        // The check's writes are unknown, so all earlier evidence counts as stale.
        const taken = await tx`
          UPDATE workspace SET lease_goal_id = ${checkId}, lease_epoch = 0, leased_at = now(),
            write_seq = write_seq + 1
          WHERE name = ${workspace} AND host = ${host} AND lease_goal_id IS NULL
            AND NOT EXISTS (SELECT 1 FROM workspace_queue q WHERE q.workspace = ${workspace})`;
        if (taken.count === 0) throw busy(workspace);
        await tx`
          INSERT INTO attempt (goal_id, token, host, worker_id)
          VALUES (${checkId}, 1, ${host}, ${workerId})`;
      });
    },

    async recordHelper({ checkId, workspace }, helper) {
      const recorded = await db`
        UPDATE attempt SET helper_pid = ${helper.pid}, helper_started_at = ${helper.startedAt},
          helper_is_init = ${helper.isInit ?? false}
        WHERE goal_id = ${checkId} AND EXISTS (
          SELECT 1 FROM workspace WHERE name = ${workspace} AND lease_goal_id = ${checkId})`;
      if (recorded.count === 0) throw busy(workspace);
    },

    async giveBack({ checkId, workspace }) {
      await db.begin(async (tx) => {
        await tx`
          UPDATE workspace SET lease_goal_id = NULL, lease_epoch = NULL, leased_at = NULL
          WHERE name = ${workspace} AND lease_goal_id = ${checkId}`;
        await tx`DELETE FROM attempt WHERE goal_id = ${checkId}`;
      });
    },
  });
}

const busy = (workspace: string): Refusal =>
  new Refusal(
    'workspace_busy',
    `A goal works in ${workspace} now, or waits for it: try again when it paused or ended.`,
    { field: 'workspace' },
  );
