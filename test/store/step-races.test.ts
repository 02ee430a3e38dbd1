import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/store/client.ts';
import { barrier, waitUntil } from '../workflows/helpers.ts';
import { mutation, type OpenRecord, openRecord, sentStep } from './record-fixture.ts';

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord();
});
afterAll(() => stores.close());

/** Until so many statements of this database wait for a lock that another holds. */
const waiting = (db: Database, count: number) =>
  waitUntil(async () => {
    const [row] = await db<[{ waiting: number }]>`
      SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return row.waiting >= count;
  });

/** An amendment that has locked and changed the goal, and commits when it is let go. */
async function heldAmendment(goalId: string, execution: { epoch: number; runId: string }) {
  const { db, unrequested } = stores;
  const amend = mutation({ kind: 'amend', changesCriteria: false, budget: { turns: 7 } });
  const { commitId } = amend;
  await stores.ordered(amend, goalId);
  const held = barrier();
  const holder = db.begin(async (tx) => {
    await tx`SELECT 1 FROM request WHERE commit_id = ${commitId} FOR UPDATE`;
    await held.pass();
  });
  await held.reached;
  const amended = unrequested.commitMutation({ goalId, ...execution }, { commitId }, goalId);
  await waiting(db, 1);
  return async () => {
    held.open();
    await holder;
    await amended;
  };
}

it('a step that waits for an amendment to commit does not begin from what was before it', async () => {
  const { execution, fence, goalId } = await stores.openTurn();
  const letGo = await heldAmendment(goalId, execution);
  const begun = stores.journal.beginStep(fence, { ...sentStep(), revision: 1 });
  await waiting(stores.db, 2);
  await letGo();
  expect(await begun).toBe(false);
  expect(await stores.journal.beginStep(fence, { ...sentStep(), revision: 2 })).toBe(true);
});
