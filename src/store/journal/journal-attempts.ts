import { Superseded } from '../../contract/failures.ts';
import type { JournalPort } from '../../contract/journal.ts';
import type { Database } from '../client.ts';
import { assertFence, lockFenced } from '../fence.ts';
import { storable } from '../json.ts';
import { sealStored } from '../ledger/counted-seal.ts';
import {
  type SealCharge,
  type SealedUsage,
  sealedUsage,
  type UsageHeads,
} from '../ledger/usage-seal.ts';
import type { OuterRow, Row } from '../row.ts';
import { takeLease } from '../workspaces/workspace-lease.ts';
import { type HelperRow, helperOf } from './helper-row.ts';

type Attempts = Pick<
  JournalPort,
  | 'lastAttempt'
  | 'raiseToken'
  | 'recordHelper'
  | 'keepAgentSession'
  | 'repeatCall'
  | 'leaseWorkspace'
>;

type AttemptRow = Row<'journal', 'token'> &
  OuterRow<'attempt', 'started_at'> &
  HelperRow & { readonly usage: SealedUsage };

/** Attempts of a goal: the fencing token, the helper's identity and the lease. */
export function journalAttempts(db: Database, usage: UsageHeads): Attempts {
  return {
    async lastAttempt(goalId) {
      const [row] = await db<AttemptRow[]>`
        SELECT j.token, a.started_at, a.host, a.helper_pid, a.helper_started_at,
          a.helper_is_init, ${sealedUsage(db)} AS usage
        FROM journal j LEFT JOIN attempt a ON a.goal_id = j.goal_id AND a.token = j.token
        WHERE j.goal_id = ${goalId}`;
      if (row !== undefined) usage.seen(row.usage);
      if (row === undefined || row.token === 0) return null;
      return {
        token: row.token,
        helper: helperOf(row),
        scheduledAt: Date.parse(row.started_at ?? ''),
      };
    },

    // A repeat looks like a second attempt of the same worker, so it is refused; the next attempt
    // takes over the raised token.
    async raiseToken({ goalId, epoch, runId, expectedToken, scheduledAt, host, workerId }) {
      const startedAt = new Date(scheduledAt).toISOString();
      const raise = async (seal: SealCharge) => {
        const [row] = await db<Row<'journal', 'token'>[]>`
        WITH j AS (
          UPDATE journal j SET token = j.token + 1, attempt_active_ms = 0 FROM goal g
          WHERE j.goal_id = ${goalId} AND g.goal_id = j.goal_id
            AND g.epoch = ${epoch} AND g.run_id = ${runId}
            AND j.epoch = ${epoch} AND j.token = ${expectedToken}
          RETURNING j.token
        )${sealStored(db, seal({ isNewAttempt: true }), db`j`)}
        INSERT INTO attempt (goal_id, token, host, worker_id, started_at)
        SELECT ${goalId}, j.token, ${host}, ${workerId}, ${startedAt}::timestamptz FROM j
        RETURNING token`;
        return row ?? false;
      };
      const raised = await usage.charging(goalId, raise);
      if (raised === false) {
        throw new Superseded(`${goalId}: token ${expectedToken} or run ${runId} was replaced`);
      }
      return { goalId, epoch, token: raised.token };
    },

    async recordHelper(fence, helper) {
      const recorded = await db`
        WITH j AS (
          SELECT goal_id, token FROM journal
          WHERE goal_id = ${fence.goalId} AND epoch = ${fence.epoch} AND token = ${fence.token}
          FOR SHARE
        )
        UPDATE attempt a SET host = ${helper.host}, helper_pid = ${helper.pid},
          helper_started_at = ${helper.startedAt}, helper_is_init = ${helper.isInit ?? false}
        FROM j WHERE a.goal_id = j.goal_id AND a.token = j.token`;
      if (recorded.count === 1) return;
      await assertFence(db, fence, 'ending');
      throw new Superseded(`${fence.goalId}: the attempt was replaced`);
    },

    async keepAgentSession(fence, session) {
      const kept = await db`
        UPDATE journal SET agent_session = ${db.json(storable(session))}
        WHERE goal_id = ${fence.goalId} AND epoch = ${fence.epoch} AND token = ${fence.token}`;
      if (kept.count === 0) await assertFence(db, fence, 'ending');
    },

    async repeatCall(fence, callId) {
      const [noted] = await db<{ before: number }[]>`
        WITH j AS (
          SELECT goal_id, token FROM journal
          WHERE goal_id = ${fence.goalId} AND epoch = ${fence.epoch} AND token = ${fence.token}
            AND is_open
          FOR SHARE
        )
        UPDATE attempt a SET repeated_call_id = ${callId}
        FROM j WHERE a.goal_id = j.goal_id AND a.token = j.token
        RETURNING (
          SELECT count(*)::int FROM attempt b
          WHERE b.goal_id = a.goal_id AND b.token < a.token AND b.repeated_call_id = ${callId}
        ) AS before`;
      if (noted !== undefined) return noted.before;
      await assertFence(db, fence, 'beginning');
      throw new Superseded(`${fence.goalId}: the attempt was replaced`);
    },

    leaseWorkspace(fence, workspace) {
      return db.begin(async (tx) => {
        await lockFenced(tx, fence, 'beginning');
        return takeLease(tx, fence, workspace);
      });
    },
  };
}
