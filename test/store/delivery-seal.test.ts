import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewDelivery, TriggersPort } from '../../src/contract/triggers.ts';
import { sealedKeys } from '../../src/sealed/keys.ts';
import { createTriggers } from '../../src/store/intake/triggers.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { ledgerKeys } from '../../src/store/ledger/ledger-keys.ts';
import { sealingDecided } from '../../src/store/ledger/seal-decided.ts';
import { lockGoal } from '../../src/store/record/goal-state.ts';
import { takeHeardEvents } from '../../src/store/waits/events.ts';
import { type OpenRecord, openRecord } from './record-fixture.ts';

const keys = ledgerKeys(['a key that nobody guesses']);
const EVENT = { kind: 'event', name: 'deployed', text: 'Version 2 is out.', values: {} } as const;
/** Of somebody who sees none of ada's goals. */
const OTHERS = { startedBy: 'bob', workspaces: null };
const EVERYBODYS = { startedBy: null, workspaces: null };

let stores: OpenRecord;
let triggers: TriggersPort;
beforeAll(async () => {
  stores = await openRecord(keys);
  triggers = createTriggers(stores.store, { secrets: sealedKeys([], '/nowhere'), ledger: keys });
  await stores.db`
    INSERT INTO inbound_trigger (trigger_id, name, kind, secret, secret_key, filter, parameters,
      action, most_per_hour, owner, owner_role)
    VALUES ('t', 't', 'github', 'x', 'k', '{}', '{}', '{"kind":"event","name":"deployed"}', 100,
      'ada', 'operator')`;
  expect(await beginSealing(stores.store.sql, keys)).toBe('begun');
});
afterAll(() => stores.close());

/** As the service's own user of the database. */
const attack = (statement: string) => stores.store.sql.unsafe(statement);

async function come(act: NewDelivery['act'] = EVENT): Promise<string> {
  const id = randomBytes(6).toString('hex');
  await triggers.journal('t', {
    ...{ deliveryId: id, externalId: id, bodySha256: id, isKnownByBody: true, event: 'x' },
    ...{ state: 'pending', act, outcome: { text: 'not done yet' } },
  });
  return id;
}

type Sight = Parameters<TriggersPort['tellEvent']>[1];

async function told(sight: Sight): Promise<string> {
  const id = await come();
  const claimed = await triggers.claim(id);
  if (claimed === null) throw new TypeError('nothing to claim');
  await triggers.tellEvent({ ...claimed, act: EVENT }, sight);
  return id;
}

/** A goal of ada's that waits for the event. */
async function waiting(): Promise<string> {
  const { goalId } = await stores.openTurn();
  await stores.db`UPDATE workspace SET lease_goal_id = NULL`;
  await stores.db`INSERT INTO election (goal_id, turn, call_id, tool, spec, state)
    VALUES (${goalId}, 1, 't1.s1.0', 'wait_for', '{"event":"deployed"}', 'waiting')`;
  return goalId;
}

const heardBy = async (goalId: string) =>
  (await stores.journal.heardEvents(goalId, 'deployed')).heard;

const toldOf = async (id: string) =>
  (await stores.db`SELECT 1 FROM security_log WHERE what = 'record_refused' AND subject = ${id}`)
    .count;

describe('what a trigger brought', () => {
  it('ROW-76 an event comes in the sight that it came in: a row that was edited is heard by nobody, and the log tells', async () => {
    const goalId = await waiting();
    const id = await told(OTHERS);
    expect(await heardBy(goalId)).toBe(0);
    for (const set of [
      `sight = '{"startedBy":null,"workspaces":null}'`,
      `sight = NULL`,
      `sight = NULL, seq = seq + 1000`,
    ]) {
      await attack(`UPDATE trigger_delivery SET ${set} WHERE delivery_id = '${id}'`);
      expect(await heardBy(goalId), set).toBe(0);
      expect(await stores.db.begin((tx) => takeHeardEvents(tx, keys, goalId))).toBe(0);
    }
    expect(await toldOf(id)).toBe(1);
    const heard = await told(EVERYBODYS);
    expect(await heardBy(goalId)).toBe(1);
    const taken = await stores.db.begin(async (tx) => {
      const goal = await lockGoal(tx, goalId);
      if (goal === null) throw new TypeError('no goal');
      return await sealingDecided(tx, keys, goal, () => takeHeardEvents(tx, keys, goalId));
    });
    expect(taken).toBe(1);
    expect(await stores.verifier.whole(goalId)).toMatchObject({ holds: true });
    await attack(`UPDATE trigger_delivery SET act = jsonb_set(act, '{text}', '"Drop it all."')
      WHERE delivery_id = '${heard}'`);
    expect(await stores.verifier.whole(goalId)).toMatchObject({
      ...{ holds: false, fault: 'edited', record: { kind: 'delivery', subject: heard } },
    });
  });

  it('ROW-77 no event comes that nobody sent, and none comes again', async () => {
    const goalId = await waiting();
    await attack(`INSERT INTO trigger_delivery (delivery_id, trigger_id, external_id, body_sha256,
        state, act, outcome, settled_at, sight)
      VALUES ('forged', 't', 'f', 'f', 'done', '${JSON.stringify(EVENT)}', '{}', now(), NULL)`);
    expect(await heardBy(goalId)).toBe(0);
    const id = await told(OTHERS);
    await attack(`UPDATE trigger_delivery SET state = 'pending', sight = NULL, settled_at = NULL,
      claimed_until = NULL WHERE delivery_id = '${id}'`);
    expect(await triggers.claim(id)).toBeNull();
    expect(await triggers.delivery(id)).toMatchObject({
      ...{ state: 'refused', outcome: { place: 'record' } },
    });
    const late = await told(EVERYBODYS);
    await attack(`UPDATE trigger_delivery SET settled_at = settled_at - interval '1 hour'
      WHERE delivery_id = '${late}'`);
    const next = await waiting();
    expect(await heardBy(next)).toBe(0);
    await attack(`UPDATE trigger_delivery SET settled_at = now() + interval '1 second'
      WHERE delivery_id = '${late}'`);
    expect(await heardBy(next)).toBe(0);
    expect(await stores.verifier.whole(next)).toMatchObject({ holds: true });
  });

  it('ROW-78 nothing is done by a delivery, a target or an owner that somebody else wrote', async () => {
    const message = { kind: 'message', goalId: 'g-1', text: 'Go on.' } as const;
    for (const edit of [
      (id: string) => `UPDATE trigger_delivery
        SET act = jsonb_set(act, '{text}', '"Drop it all."') WHERE delivery_id = '${id}'`,
      (id: string) => `UPDATE trigger_delivery SET goal_id = 'g-2' WHERE delivery_id = '${id}'`,
      () => `UPDATE inbound_trigger SET owner = 'root', owner_role = 'admin'`,
    ]) {
      const id = await come(message);
      await attack(edit(id));
      expect(await triggers.claim(id), edit(id)).toBeNull();
      expect(await triggers.delivery(id)).toMatchObject({ state: 'refused' });
      expect(await toldOf(id)).toBe(1);
      await stores.db`UPDATE inbound_trigger SET owner = 'ada', owner_role = 'operator'`;
    }
    const id = await come(message);
    expect(await triggers.target(id, 'g-1')).toBe('g-1');
    expect(await triggers.claim(id)).toMatchObject({ goalId: 'g-1', owner: 'ada' });
    const later = { state: 'pending', outcome: { text: 'later' }, retryInSeconds: 0 } as const;
    await triggers.settle(id, later);
    expect(await triggers.claim(id)).toMatchObject({ attempts: 2 });
    await triggers.settle(id, { state: 'done', outcome: { text: 'said' } });
    expect(await triggers.delivery(id)).toMatchObject({ state: 'done' });
  });
});
