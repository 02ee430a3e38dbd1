import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { GoalFilter } from '../../src/contract/reads.ts';
import type { Execution } from '../../src/contract/record.ts';
import type { SealedContent } from '../../src/contract/sealed.ts';
import type { DelegateRequest } from '../../src/contract/tool-call.ts';
import type { Worktree } from '../../src/contract/worktrees.ts';
import { pruneOrders } from '../../src/store/intake/prune-orders.ts';
import { journalDelivery } from '../../src/store/intake/trigger-deliveries.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { ledgerKeys, noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { countGoals, listGoals } from '../../src/store/reads/goal-list.ts';
import { createProofStore } from '../../src/store/record/proofs.ts';
import { pruneDeliveries } from '../../src/store/retention/prune-deliveries.ts';
import { pruneEvents } from '../../src/store/retention/prune-events.ts';
import { createSealedStore } from '../../src/store/sealed/sealed.ts';
import { createCheckpointStore } from '../../src/store/workspaces/checkpoints.ts';
import { createWorktreeStore } from '../../src/store/workspaces/worktrees.ts';
import { ageSeals } from '../support/aged-seals.ts';
import {
  mutation,
  type OpenRecord,
  openRecord,
  settledCall,
  settledTurn,
  startedCall,
} from './record-fixture.ts';

const keys = ledgerKeys(['a key that nobody guesses']);
const contentKey = { keyId: 'k', bytes: Buffer.alloc(32, 1) };
const sealedKeys = { sealing: () => contentKey, find: () => contentKey };

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord(keys);
  expect(await beginSealing(stores.store.sql, keys)).toBe('begun');
  await stores.intake.registerWorkspace({
    ...{ name: 'shop', path: '/shop', host: 'here', marker: 'shop', isRepository: true },
  });
  await stores.db`
    INSERT INTO inbound_trigger (trigger_id, name, kind, secret, secret_key, filter, parameters,
      action, most_per_hour, owner, owner_role)
    VALUES ('t', 't', 'github', 'x', 'k', '{}', '{}', '{}', 100, 'ada', 'operator')`;
});
afterAll(() => stores.close());

const sql = () => stores.store.sql;
const proofs = (by = keys) => createProofStore(stores.store, by);
const checkpoints = () => createCheckpointStore(stores.store, keys);
const worktrees = () => createWorktreeStore(stores.store, { ledgerKeys: keys });
const sealed = () => createSealedStore(stores.store, sealedKeys, keys);

/** A goal at work in a tree of its own. */
async function atWork(criteria: readonly TrackedCriterion[] = []) {
  await stores.db`UPDATE workspace SET lease_goal_id = NULL`;
  const given = criteria.length === 0 ? {} : { criteria };
  const opened = await stores.openTurn({ workspace: 'shop', worktree: 'required', ...given });
  const made = { base: 'abc', uncommitted: 0, begins: null };
  await worktrees().tellMade(opened.fence, `/trees/${opened.goalId}`, made);
  await stores.db`UPDATE workspace SET lease_goal_id = NULL`;
  return opened;
}

const clear = ({ execution, goalId }: { execution: Execution; goalId: string }) =>
  stores.record.commitMutation(execution, mutation({ kind: 'clear' }), goalId);

/** As the service's own user of the database, without the key. */
const call = {
  cleared: (goalId: string) => sql()`
    UPDATE goal SET archived_at = now() - interval '40 days',
      snapshot = jsonb_set(snapshot, '{context,isArchived}', 'true'),
      updated_at = now() - interval '40 days' WHERE goal_id = ${goalId}`,
  complete: (goalId: string) => sql()`
    UPDATE goal SET status = 'complete', updated_at = now() - interval '40 days'
    WHERE goal_id = ${goalId}`,
};
const WAYS = ['cleared', 'complete'] as const;

const everyone = { startedBy: null, workspaces: null };
const everything: GoalFilter = { sight: everyone, sort: 'newest', archived: false, limit: 100 };

const left = async (): Promise<string[]> => {
  const trees: Worktree[] = [];
  await worktrees().withLeftBehind('here', [], async (rows) => void trees.push(...rows));
  return trees.map(({ goalId }) => goalId);
};

describe('SEC-48 the archiving of a goal that goes on', () => {
  it('is refused by the database, as the bringing back of one that was cleared, so lists and counts show what is there', async () => {
    const [goal, cleared] = [await atWork(), await atWork()];
    await clear(cleared);
    const shown = async () => {
      const { items } = await listGoals(sql(), keys, everything);
      const ids = items.map(({ goalId }) => goalId);
      return { goal: ids.includes(goal.goalId), cleared: ids.includes(cleared.goalId) };
    };
    const counted = await countGoals(sql(), everyone);
    const say = (goalId: string, at: string | null) =>
      sql()`UPDATE goal SET archived_at = ${at} WHERE goal_id = ${goalId}`;
    await expect(say(goal.goalId, new Date().toISOString())).rejects.toThrow(
      /archived where its state says so/,
    );
    await expect(say(cleared.goalId, null)).rejects.toThrow(/archived where its state says so/);
    expect(await shown()).toEqual({ goal: true, cleared: false });
    expect(await countGoals(sql(), everyone)).toEqual(counted);
    expect(await stores.verifier.whole(goal.goalId)).toMatchObject({ holds: true });
  });
});

describe('what can not be undone waits for a seal, whatever the row of a goal says', () => {
  it.each(WAYS)(
    'SEC-43 files of a goal that its row calls %s stay, and the log tells',
    async (way) => {
      const [goal, other] = [await atWork(), await atWork()];
      await call[way](goal.goalId);
      await clear(other);
      const ids = [goal.goalId, other.goalId];
      expect(await proofs().finishedGoals(ids)).toEqual([other.goalId]);
      expect(await checkpoints().forgotten(ids)).toEqual([other.goalId]);
      expect(await left()).not.toContain(goal.goalId);
      expect(await left()).toContain(other.goalId);
      const makers = await worktrees().makers(ids);
      expect(makers.map(({ goalId, isOver }) => [goalId, isOver]).sort()).toEqual(
        [
          [goal.goalId, false],
          [other.goalId, true],
        ].sort(),
      );
      const entries = await stores.db`
      SELECT subject FROM security_log WHERE what = 'record_refused'
        AND subject IN ${stores.db(ids)}`;
      expect(new Set(entries.map(({ subject }) => subject))).toEqual(new Set([goal.goalId]));
      expect(await stores.verifier.whole(goal.goalId)).toMatchObject({ holds: false });
    },
  );

  it('SEC-43 without a key the row says it', async () => {
    const { goalId } = await atWork();
    await call.cleared(goalId);
    expect(await proofs(noKeys).finishedGoals([goalId])).toEqual([goalId]);
  });

  it.each(WAYS)(
    'SEC-44 a sealed criterion of a goal that its row calls %s keeps its content',
    async (way) => {
      const content: SealedContent = {
        check: {
          kind: 'command',
          command: 'true',
          name: 'x',
          description: 'x',
          hint: 'none',
        } as never,
        files: [],
      };
      const goals: {
        readonly sealedId: string;
        readonly goal: { execution: Execution; goalId: string };
      }[] = [];
      for (let index = 0; index < 2; index++) {
        const { sealedId } = await sealed().seal(content, {
          name: 'ada',
          workspaces: null,
        } as never);
        const criterion = {
          ...{
            criterionId: 'c1',
            state: 'unmet',
            baseline: 'unmet',
            origin: 'caller',
            receipts: [],
          },
          spec: { kind: 'sealed', sealedId },
        } as unknown as TrackedCriterion;
        goals.push({ sealedId, goal: await atWork([criterion]) });
      }
      const [one, two] = goals as [(typeof goals)[0], (typeof goals)[0]];
      await call[way](one.goal.goalId);
      await stores.db`UPDATE goal SET updated_at = now() WHERE goal_id = ${one.goal.goalId}`;
      await clear(two.goal);
      await sealed().eraseUnneeded();
      expect(await sealed().open(one.sealedId)).not.toHaveProperty('problem');
      expect(await sealed().open(two.sealedId)).toMatchObject({ problem: /erased/ });
    },
  );

  it.each(WAYS)('SEC-45 rows of a goal that its row calls %s are not pruned', async (way) => {
    const [goal, other] = [await atWork(), await atWork()];
    await stores.db`UPDATE event SET at = now() - interval '40 days'`;
    const order = mutation({ kind: 'pause' });
    await stores.ordered(order, goal.goalId);
    await stores.db`ALTER TABLE goal_order DISABLE TRIGGER ALL`;
    await stores.db`UPDATE goal_order SET ordered_at = now() - interval '40 days'`;
    await stores.db`ALTER TABLE goal_order ENABLE TRIGGER ALL`;
    await clear(other);
    await stores.db`
      UPDATE goal SET updated_at = now() - interval '40 days',
        archived_at = now() - interval '40 days' WHERE goal_id = ${other.goalId}`;
    await stores.db`UPDATE event SET at = now() - interval '40 days'`;
    await journalDelivery(sql(), noKeys, 't', {
      ...{ deliveryId: `d-${way}`, externalId: `d-${way}`, bodySha256: way, isKnownByBody: true },
      ...{ event: 'issues', state: 'pending', outcome: { text: 'x' } },
      act: { kind: 'event', name: 'news' },
    } as never);
    await stores.db`
      UPDATE trigger_delivery SET state = 'done', settled_at = now() - interval '40 days'`;
    await stores.db`UPDATE turn SET started_at = now() - interval '50 days'
      WHERE goal_id = ${goal.goalId}`;
    await stores.db`UPDATE turn SET state = 'settled' WHERE goal_id <> ${goal.goalId}`;
    await call[way](goal.goalId);
    await pruneEvents(sql(), keys, 30);
    await pruneOrders(sql(), keys);
    await pruneDeliveries(sql(), keys, 30);
    const countOf = async (table: 'event' | 'goal_order', goalId: string) =>
      (await stores.db`SELECT 1 FROM ${stores.db(table)} WHERE goal_id = ${goalId}`).count;
    expect(await countOf('event', goal.goalId)).toBeGreaterThan(0);
    expect(await countOf('event', other.goalId)).toBe(0);
    expect(await countOf('goal_order', goal.goalId)).toBe(1);
    const kept = await stores.db`
      SELECT pruned_at FROM trigger_delivery WHERE delivery_id = ${`d-${way}`}`;
    expect(kept).toEqual([{ pruned_at: null }]);
  });

  it.each(WAYS)(
    'SEC-46 the run and the share of a goal that its row calls %s stay',
    async (way) => {
      const parent = await stores.openTurn();
      await stores.journal.startCall(parent.fence, startedCall());
      const delegate: DelegateRequest = {
        ...{ task: 'Look it up.', files: [], mode: 'gather', returns: 'normal' },
        delaySeconds: 0,
      };
      await stores.journal.settleCall(parent.fence, settledCall(1, { delegate }));
      const wait = { action: 'wait', on: 'delegate', seconds: null, next: 'wake' } as const;
      await stores.record.recordTurn(parent.execution, settledTurn(wait));
      const [row] = await stores.db<{ child: string }[]>`
      SELECT child_goal_id AS child FROM delegate WHERE parent_goal_id = ${parent.goalId}`;
      const child = row?.child ?? '';
      await stores.record.openExecution({ goalId: child, epoch: 1, runId: `run-${child}` }, null);
      await call[way](child);
      expect(await stores.reconcile.releaseLeaked()).toBe(0);
      const archived = await stores.reconcile.archivedExecutions();
      expect(archived.map(({ goalId }) => goalId)).not.toContain(child);
      const states = await stores.db`SELECT state FROM delegate WHERE child_goal_id = ${child}`;
      expect(states).toEqual([{ state: 'running' }]);
    },
  );
});

describe('how long a goal has been over is what was sealed', () => {
  it('SEC-47 no row makes a complete goal older than its seal, for its checkpoints and its removal', async () => {
    const { execution, goalId } = await stores.openTurn();
    await stores.record.commitMutation(execution, mutation({ kind: 'complete' }), goalId);
    await call.complete(goalId);
    const why = async () => {
      const [row] = await sql()`SELECT why_goal_stays(${goalId}, 10) AS why`;
      return row?.why;
    };
    expect(await checkpoints().forgotten([goalId])).toEqual([]);
    expect(await why()).toBe('it is not old enough');
    // A seal of nobody's, from long ago, makes it no older.
    await expect(
      sql()`UPDATE row_seal SET sealed_at = now() - interval '40 days'`,
    ).rejects.toThrow();
    await ageSeals(stores.db, goalId, 40);
    expect(await checkpoints().forgotten([goalId])).toEqual([goalId]);
    expect(await why()).not.toBe('it is not old enough');
    const [last] = await stores.db<{ number: number }[]>`
      SELECT max(number) AS number FROM row_seal WHERE kind = 'state' AND subject = ${goalId}`;
    await sql()`
      INSERT INTO row_seal (kind, subject, number, seal, sealed_at)
      VALUES ('state', ${goalId}, ${(last?.number ?? 0) + 1}, 'x', now())`;
    expect(await why()).toBe('it is not old enough');
    expect(await checkpoints().forgotten([goalId])).toEqual([]);
  });
});
