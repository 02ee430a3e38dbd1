import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { journalDelivery } from '../../src/store/intake/trigger-deliveries.ts';
import { noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { FORGOTTEN, pruneDeliveries } from '../../src/store/retention/prune-deliveries.ts';
import { pruneEvents } from '../../src/store/retention/prune-events.ts';
import { type OpenRecord, openRecord } from './record-fixture.ts';

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord();
  await stores.db`
    INSERT INTO inbound_trigger (trigger_id, name, kind, secret, secret_key, filter, parameters,
      action, most_per_hour, owner, owner_role)
    VALUES ('t', 't', 'github', 'x', 'k', '{}', '{}', '{}', 100, 'ada', 'operator')`;
});
afterAll(() => stores.close());

const delivery = (id: string, more: object = {}) => ({
  ...{ deliveryId: id, externalId: `ext-${id}`, bodySha256: `sha-${id}`, isKnownByBody: true },
  ...{ event: 'issues', state: 'pending' as const, outcome: { text: 'not done yet' } },
  act: { kind: 'message' as const, goalId: 'g-1', text: 'secret words' },
  ...more,
});

const come = (id: string, more: object = {}) =>
  journalDelivery(stores.store.sql, noKeys, 't', delivery(id, more));

/** As if it had been settled so many days ago. */
const settled = (id: string, days: number) => stores.db`
  UPDATE trigger_delivery SET state = 'done', goal_id = 'g-1', outcome = '{"text":"said"}',
    settled_at = now() - make_interval(days => ${days}, hours => 1)
  WHERE delivery_id = ${id}`;

const rowOf = async (id: string) => {
  const [row] = await stores.db`SELECT * FROM trigger_delivery WHERE delivery_id = ${id}`;
  return row;
};

const eventsOf = async (goalId: string) => {
  const rows = await stores.db<{ seq: number }[]>`
    SELECT seq FROM event WHERE goal_id = ${goalId} ORDER BY seq`;
  return rows.map(({ seq }) => seq);
};

/** A goal with events that is over, or not, as if all had happened so many days ago. */
async function goalOf(days: number, status = 'complete') {
  const { goalId } = await stores.openTurn();
  await stores.db`UPDATE goal SET status = ${status},
    updated_at = now() - make_interval(days => ${days}, hours => 1) WHERE goal_id = ${goalId}`;
  await stores.db`UPDATE event SET at = now() - make_interval(days => ${days}, hours => 1)
    WHERE goal_id = ${goalId}`;
  return goalId;
}

describe('retention.deliveries', () => {
  test('RET-1 old ones are emptied, younger and pending ones stay, and a second look finds none', async () => {
    for (const id of ['old', 'young', 'pending']) await come(id);
    await settled('old', 30);
    await settled('young', 29);
    await stores.db`UPDATE trigger_delivery SET received_at = now() - interval '90 days'
      WHERE delivery_id = 'pending'`;
    expect(await pruneDeliveries(stores.store.sql, noKeys, 30)).toBe(1);
    expect(await pruneDeliveries(stores.store.sql, noKeys, 30)).toBe(0);
    expect(await rowOf('old')).toMatchObject({
      ...{ act: null, goal_id: null, event: null, outcome: { text: FORGOTTEN }, state: 'done' },
    });
    expect(await rowOf('young')).toMatchObject({ pruned_at: null, outcome: { text: 'said' } });
    expect(await rowOf('pending')).toMatchObject({ pruned_at: null, state: 'pending' });
  });

  test('RET-2 a repeat of an emptied one is still known, by its id and by its body', async () => {
    await come('known');
    await settled('known', 400);
    expect(await pruneDeliveries(stores.store.sql, noKeys, 30)).toBe(1);
    expect(await come('known')).toEqual({ deliveryId: 'known', isNew: false });
    const other = delivery('known', { deliveryId: 'again', externalId: 'another id' });
    expect(await journalDelivery(stores.store.sql, noKeys, 't', other)).toEqual({
      ...{ deliveryId: 'known', isNew: false },
    });
    expect(await rowOf('known')).toMatchObject({ repeats: 2, state: 'done' });
  });

  test('RET-3 many are emptied batch by batch, by two workers at once, each counted once', async () => {
    await stores.db`
      INSERT INTO trigger_delivery (delivery_id, trigger_id, external_id, body_sha256, state, act,
        outcome, settled_at)
      SELECT 'many-' || n, 't', 'many-' || n, 'many-' || n, 'ignored', NULL, '{"text":"x"}',
        now() - interval '50 days'
      FROM generate_series(1, 1203) n`;
    const counts = await Promise.all(
      [1, 2].map(() => pruneDeliveries(stores.store.sql, noKeys, 49)),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1203);
  });
});

describe('retention.events', () => {
  test('RET-4 those of goals that ended long ago go, and what proves something stays', async () => {
    const old = await goalOf(30);
    const [young, open] = [await goalOf(29), await goalOf(60, 'active')];
    const before = await Promise.all([eventsOf(old), eventsOf(young), eventsOf(open)]);
    const [kept] = await stores.db`
      SELECT (SELECT count(*) FROM commit WHERE goal_id = ${old}) AS commits,
        (SELECT count(*) FROM turn WHERE goal_id = ${old}) AS turns`;
    expect(await pruneEvents(stores.store.sql, noKeys, 30)).toBe(before[0]?.length);
    expect(await pruneEvents(stores.store.sql, noKeys, 30)).toBe(0);
    expect(await eventsOf(old)).toEqual([]);
    expect(await eventsOf(young)).toEqual(before[1]);
    expect(await eventsOf(open)).toEqual(before[2]);
    const [after] = await stores.db`
      SELECT (SELECT count(*) FROM commit WHERE goal_id = ${old}) AS commits,
        (SELECT count(*) FROM turn WHERE goal_id = ${old}) AS turns`;
    expect(after).toEqual(kept);
    const [journal] = await stores.db`
      SELECT events_pruned_to, event_seq FROM journal WHERE goal_id = ${old}`;
    expect(journal?.events_pruned_to).toBe(journal?.event_seq);
  });

  test('RET-5 a goal whose delegate is not over keeps them, for its pauses count there', async () => {
    const [parent, child] = [await goalOf(30), await goalOf(30, 'active')];
    await stores.db`
      INSERT INTO delegate ${stores.db(await delegateRow(parent, child))}`;
    const before = await eventsOf(parent);
    expect(await pruneEvents(stores.store.sql, noKeys, 30)).toBe(0);
    expect(await eventsOf(parent)).toEqual(before);
  });

  test('RET-6 the writer takes out no event but by the function, which spares what runs and is young', async () => {
    const [open, young] = [await goalOf(60, 'active'), await goalOf(0)];
    const { sql } = stores.store;
    await expect(sql`DELETE FROM event WHERE goal_id = ${young}`).rejects.toThrow(/permission/);
    await expect(sql`SELECT prune_events(${young}, 0, 10)`).rejects.toThrow(/a day at least/);
    const asked = [open, young].map((id) => sql`SELECT prune_events(${id}, 1, 10) AS count`);
    for (const [row] of await Promise.all(asked)) expect(row).toEqual({ count: 0 });
  });
});

async function delegateRow(parent: string, child: string) {
  const columns = await stores.db<{ name: string; type: string }[]>`
    SELECT column_name AS name, data_type AS type FROM information_schema.columns
    WHERE table_name = 'delegate' AND is_nullable = 'NO' AND column_default IS NULL`;
  const fillers: Record<string, unknown> = {
    integer: 1,
    jsonb: stores.db.json({}),
    text: 'x',
    files: stores.db.json([]),
  };
  const filled = columns.map(({ name, type }) => [name, fillers[name] ?? fillers[type] ?? 'now']);
  return { ...Object.fromEntries(filled), parent_goal_id: parent, child_goal_id: child };
}
