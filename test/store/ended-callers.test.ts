import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { createCheckOrders } from '../../src/store/workspaces/check-orders.ts';
import { mutation, type OpenRecord, openRecord, WORKSPACE } from './record-fixture.ts';

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord();
});
afterAll(() => stores.close());

/** A token that ends now. */
const token = (name: string, column: string) =>
  stores.db.unsafe(`INSERT INTO token (name, secret_hash, role, created_by, ${column})
    VALUES ('${name}', '${name}', 'operator', 'admin', now())`);

test.each([
  ['was revoked', 'revoked_at'],
  ['has expired', 'expires_at'],
])(
  'WHO-54 an order that waited for a worker is not carried out once its token %s',
  async (_, column) => {
    await token(column, column);
    const { execution, goalId } = await stores.openTurn();
    const complete = (by: string) =>
      stores.record.commitMutation(execution, mutation({ kind: 'complete' }, { by }), goalId);
    await expect(complete(column)).rejects.toMatchObject({ code: 'unauthorized' });
    const [goal] = await stores.db`SELECT status FROM goal WHERE goal_id = ${goalId}`;
    expect(goal?.status).toBe('active');
    await complete('ada');
  },
);

test('WHO-54 a check that waited for a worker runs no command once its token has ended', async () => {
  await token('of-a-check', 'revoked_at');
  const orders = createCheckOrders(stores.store, noKeys);
  const place = async (name: string) => {
    const checkId = randomUUID();
    const criterion = { kind: 'command', command: 'true' } as const;
    const order = {
      checkId,
      workspace: WORKSPACE,
      host: 'here',
      criterion,
      network: 'none',
    } as const;
    await orders.place(order, { role: 'operator', name });
    return checkId;
  };
  const late = await place('of-a-check');
  await expect(orders.take(late, 'here')).rejects.toMatchObject({ why: 'no_order' });
  expect(await orders.take(await place('ada'), 'here')).toMatchObject({ workspace: WORKSPACE });
});
