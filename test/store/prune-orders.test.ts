import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrderRefused } from '../../src/contract/failures.ts';
import { pruneOrders } from '../../src/store/intake/prune-orders.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { ledgerKeys, noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { createCheckOrders } from '../../src/store/workspaces/check-orders.ts';
import { mutation, type OpenRecord, openRecord, WORKSPACE } from './record-fixture.ts';

const keys = ledgerKeys(['a key that nobody guesses']);

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord(keys);
  expect(await beginSealing(stores.db, keys)).toBe('begun');
});
afterAll(() => stores.close());

const orders = async (goalId: string) =>
  (await stores.db`SELECT commit_id FROM goal_order WHERE goal_id = ${goalId}`).map(
    ({ commit_id: id }) => id as string,
  );

/** As if all of it had happened so many days earlier. */
async function age(goalId: string, days: number, parts = ['order', 'commit', 'seal']) {
  const earlier = (column: string) => `${column} = ${column} - interval '${days} days'`;
  const of = `WHERE goal_id = '${goalId}'`;
  await stores.db.unsafe('ALTER TABLE goal_order DISABLE TRIGGER ALL');
  await stores.db.unsafe('ALTER TABLE seal DISABLE TRIGGER ALL');
  const set = {
    order: `UPDATE goal_order SET ${earlier('ordered_at')} ${of}`,
    commit: `UPDATE commit SET ${earlier('at')} ${of}`,
    seal: `UPDATE seal SET ${earlier('at')} ${of}`,
  };
  for (const part of parts) await stores.db.unsafe(set[part as keyof typeof set]);
  await stores.db.unsafe('ALTER TABLE goal_order ENABLE TRIGGER ALL');
  await stores.db.unsafe('ALTER TABLE seal ENABLE TRIGGER ALL');
}

async function goalWithOrders() {
  const execution = await stores.openGoal();
  const { goalId } = execution;
  const taken = mutation({ kind: 'amend', changesCriteria: false, budget: { turns: 9 } });
  await stores.record.commitMutation(execution, taken, goalId);
  const waiting = mutation({ kind: 'pause' });
  await stores.ordered(waiting, goalId);
  const refused = mutation({ kind: 'pause' });
  await stores.ordered(refused, goalId);
  await stores.db`DELETE FROM request WHERE commit_id = ${refused.commitId}`;
  return { execution, goalId, taken, waiting, refused };
}

describe('orders', () => {
  it('REC-40 go once they were taken, or never will be, and 30 days are over', async () => {
    const { goalId, taken, waiting, refused } = await goalWithOrders();
    const all = [taken, waiting, refused].map(({ commitId }) => commitId).sort();
    await age(goalId, 20);
    await pruneOrders(stores.store.sql, keys);
    expect((await orders(goalId)).sort()).toEqual(all);
    await age(goalId, 12);
    await pruneOrders(stores.store.sql, keys);
    expect(await orders(goalId)).toEqual([waiting.commitId]);
  });

  it('REC-41 one that is gone is not carried out again, and one from nowhere is refused', async () => {
    const { execution, goalId, taken, refused } = await goalWithOrders();
    await age(goalId, 40);
    expect(await pruneOrders(stores.store.sql, keys)).toBeGreaterThan(0);
    const before = await stores.reader.goal(goalId);
    const again = ({ commitId }: { commitId: string }) =>
      stores.unrequested.commitMutation(execution, { commitId }, goalId);
    expect((await again(taken)).state.budget.turns).toBe(9);
    await expect(again(refused)).rejects.toThrow(OrderRefused);
    expect((await stores.reader.goal(goalId))?.revision).toBe(before?.revision);
  });

  it('REC-42 one whose goal took it late stays as long as its seal asks for it', async () => {
    const { goalId, taken } = await goalWithOrders();
    await age(goalId, 40, ['order']);
    await pruneOrders(stores.store.sql, keys);
    expect(await orders(goalId)).toContain(taken.commitId);
    expect(await stores.verifier.quick(goalId)).toMatchObject({ holds: true });
  });

  it('REC-43 the database refuses its writer an earlier deletion', async () => {
    const { goalId } = await goalWithOrders();
    const gone = stores.store.sql`DELETE FROM goal_order WHERE goal_id = ${goalId}`;
    await expect(gone).rejects.toThrow(/kept until it was taken and 30 days are over/);
  });

  it('REC-44 a check runs once, also when its order is gone', async () => {
    const checks = createCheckOrders(stores.store, noKeys);
    const order = { checkId: 'k-1', workspace: WORKSPACE, host: 'here', network: 'none' as const };
    const criterion = { kind: 'command', command: 'true' } as const;
    await checks.place({ ...order, criterion }, { role: 'operator', name: 'ada' });
    await checks.take('k-1', 'here');
    await stores.db`UPDATE check_order SET ordered_at = now() - interval '40 days'`;
    expect(await pruneOrders(stores.store.sql, keys)).toBe(1);
    await expect(checks.take('k-1', 'here')).rejects.toThrow(OrderRefused);
  });
});
