import { createHmac, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { MadeTrigger, Trigger, TriggerDelivery } from '../../schema/trigger.ts';
import { createClient } from '../../src/cli/client.ts';
import type { TriggerAct } from '../../src/contract/triggers.ts';
import { sealedKeys } from '../../src/sealed/keys.ts';
import { createTriggers } from '../../src/store/intake/triggers.ts';
import { noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { signedHeaders } from '../../src/webhooks/sign.ts';
import { type GoalWorld, OWN, openGoalWorld, TOKENS } from '../support/goal-world.ts';
import { waitUntil } from './helpers.ts';

const ask = reply.call('ask_user', { question: 'Go on?' });
const waitFor = (more: object) => reply.call('wait_for', { event: 'ci', ...more });
const scripts: Record<string, Script> = {
  asks: sequence([ask]),
  waits: sequence([waitFor({ match: [{ name: 'branch', value: 'main' }] }), ask]),
  again: sequence([waitFor({}), waitFor({}), ask]),
  nothing: sequence([reply.call('wait_for', { event: 'never', timeoutSeconds: 1 }), ask]),
  /** The event comes while the command runs, before the wait begins. */
  late: sequence([
    reply.call('run_command', { command: 'until [ -e go ]; do sleep 0.05; done' }),
    waitFor({}),
    ask,
  ]),
  sleeps: sequence([
    reply.call('continue_work', { delaySeconds: 300, reason: 'nothing to do yet' }),
    reply.text('I have read it.'),
    ask,
  ]),
};
const script: Script = (request) =>
  (scripts[objectiveOf(request).split(':')[0] ?? ''] ?? sequence([ask]))(request);

let world: GoalWorld;
beforeAll(async () => {
  world = await openGoalWorld({ script, isUnsealed: true });
});
afterAll(() => world.close());

let names = 0;
const nextName = () => {
  names += 1;
  return `t-${names}`;
};

const make = (definition: object, client = world.client) =>
  client.send<MadeTrigger>('POST', '/v1/triggers', { name: nextName(), ...definition });

const shown = (name: string) => world.client.get<Trigger>(`/v1/triggers/${name}`);

interface Sent {
  readonly payload?: unknown;
  readonly body?: string;
  readonly id?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly secret?: string;
}

/** As a sender by Standard Webhooks does it. */
async function deliver(trigger: MadeTrigger, sent: Sent = {}) {
  const body = sent.body ?? JSON.stringify(sent.payload ?? {});
  const { id = randomUUID(), secret = trigger.secret } = sent;
  const headers = {
    'content-type': 'application/json',
    ...signedHeaders(id, body, secret, Date.now()),
    ...sent.headers,
  };
  const answer = await fetch(world.url + trigger.path, { method: 'POST', headers, body });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, ...parsed(text) };
}

/** As a sender that repeats until it is done: a service under load takes it, and acts later. */
async function acted(trigger: MadeTrigger, sent: Sent = {}) {
  const { id = randomUUID() } = sent;
  return await waitUntil(async () => {
    const answer = await deliver(trigger, { ...sent, id });
    return answer.body.state === 'pending' ? null : answer;
  });
}

/** `text` without the path that was asked for. */
const parsed = (text: string) => ({
  body: JSON.parse(text) as TriggerDelivery,
  text: text.replace(/,"instance":"[^"]*"/, ''),
});

const startIn = async (objective: string) =>
  world.start({ objective, workspace: { path: await world.workspace({}) }, criteria: [] });

const untilAsked = (goalId: string) =>
  world.until(goalId, ({ pause }) => pause?.reason === 'question');
const untilWaiting = (goalId: string, on: string) =>
  world.until(goalId, ({ activity }) => activity.on === on);

const heardBy = async (goalId: string) => {
  const rows = await world.database<{ voice: string; text: string }[]>`
    SELECT voice, content->>'text' AS text FROM message WHERE goal_id = ${goalId} ORDER BY seq`;
  return rows.filter(({ voice }) => voice === 'agent').map(({ text }) => text);
};

const goalsOf = async (objective: string) => {
  const rows = await world.database<{ goal_id: string }[]>`
    SELECT goal_id FROM goal WHERE objective = ${objective}`;
  return rows.map(({ goal_id }) => goal_id);
};

const starting = async (objective: string) => ({
  parameters: { title: '$.title' },
  action: {
    kind: 'start',
    goal: { ...OWN, objective, workspace: { path: await world.workspace({}) }, criteria: [] },
  },
});

const brings = (more: object = {}) => ({
  parameters: { branch: '$.branch', result: '$.result' },
  action: { kind: 'event', name: 'ci', text: 'CI of {{branch}}: {{result}}' },
  ...more,
});

describe('POST /v1/hooks/{triggerId}', () => {
  test('TRIG-10 a delivery starts a goal by its owner’s rights, once, however often it comes', async () => {
    const trigger = await make(await starting('asks: {{title}}'));
    const id = randomUUID();
    const payload = { title: 'the <host>parser</host>' };
    const [first, second] = await Promise.all([
      deliver(trigger, { id, payload }),
      deliver(trigger, { id, payload }),
    ]);
    const third = await acted(trigger, { id, payload });
    expect([first.status, second.status, third.status]).toEqual([202, 202, 202]);
    expect(third.headers.get('idempotency-replayed')).toBe('true');
    expect(third.body).toMatchObject({ state: 'done', externalId: id });
    const started = await goalsOf('asks: the <host>parser</host>');
    expect(started).toEqual([third.body.outcome.goalId]);
    await untilAsked(started[0] ?? '');
    const owners = await world.database`
      SELECT created_by FROM goal WHERE goal_id = ${started[0] ?? ''}`;
    expect(owners).toEqual([{ created_by: trigger.owner }]);
  });

  test('TRIG-11 forged ones and unknown addresses are answered alike, and the owner sees why', async () => {
    const trigger = await make(brings());
    const forged = await deliver(trigger, { secret: 'not-the-secret-at-all' });
    const unknown = await deliver({ ...trigger, path: `/v1/hooks/trg-${'0'.repeat(32)}` });
    const strange = await deliver({ ...trigger, path: '/v1/hooks/x' });
    expect([forged.status, forged.text]).toEqual([401, unknown.text]);
    expect([strange.status, strange.text]).toEqual([401, unknown.text]);
    const old = signedHeaders('m', '{}', trigger.secret, Date.now() - 3_600_000);
    expect((await deliver(trigger, { headers: old })).text).toBe(forged.text);
    const { refused, deliveries } = await shown(trigger.name);
    expect(refused).toMatchObject({ count: 2, lastWhy: expect.stringContaining('300 s off') });
    expect(deliveries).toEqual([]);
    const log = await world.client.get<{ items: { what: string; subject: string }[] }>(
      '/v1/security-log?what=delivery_refused',
    );
    expect(log.items[0]?.subject).toContain('/v1/hooks/');
  });

  test('TRIG-12 what is no JSON, or too large, does nothing and is shown', async () => {
    const trigger = await make(brings());
    const text = await deliver(trigger, { body: 'payload=%7B%7D' });
    expect(text.body).toMatchObject({ state: 'refused', outcome: { place: 'body' } });
    const large = await deliver(trigger, { body: `"${'x'.repeat(1024 * 1024)}"` });
    expect(large.status).toBe(413);
    const nothing = await deliver(trigger, { payload: { result: 'ok' } });
    expect(nothing.body).toMatchObject({
      state: 'refused',
      outcome: { place: 'parameters.branch' },
    });
    const { refused, deliveries = [] } = await shown(trigger.name);
    expect(refused).toMatchObject({ count: 1, lastWhy: expect.stringContaining('1048576 bytes') });
    const typeless = await deliver(trigger, { headers: { 'content-type': 'json' } });
    expect(typeless.status).toBe(400);
    expect((await shown(trigger.name)).refused).toMatchObject({
      count: 2,
      lastWhy: expect.stringContaining('Content-Type'),
    });
    expect(deliveries.map(({ state }) => state)).toEqual(['refused', 'refused']);
  });

  test('TRIG-12 a type that no line can show is no event, and the delivery acts all the same', async () => {
    const trigger = await make(brings());
    for (const type of ['a\0b', '\ud800', 'x\n2026-01-01 forged done']) {
      const { status, body } = await acted(trigger, {
        payload: { type, branch: 'main', result: 'ok' },
      });
      expect([status, body.state, body.event]).toEqual([202, 'done', null]);
    }
  });

  test('TRIG-13 GitHub signs no id, so the same body under another one is the same delivery', async () => {
    const trigger = await make({ ...brings({ kind: 'github' }), filter: { events: ['push'] } });
    const send = (id: string, event: string, payload: object) => {
      const body = JSON.stringify(payload);
      const digest = createHmac('sha256', trigger.secret).update(body).digest('hex');
      const headers = {
        'x-hub-signature-256': `sha256=${digest}`,
        'x-github-delivery': id,
        'x-github-event': event,
      };
      return acted(trigger, { id, body, headers });
    };
    const payload = { branch: 'main', result: 'ok' };
    const first = await send('one', 'push', payload);
    expect(first.body).toMatchObject({ state: 'done', event: 'push' });
    expect((await send('two', 'push', payload)).body.deliveryId).toBe(first.body.deliveryId);
    expect((await send('three', 'ping', { zen: '' })).body.state).toBe('ignored');
    expect((await send('four', 'star', { ...payload, n: 1 })).body.state).toBe('ignored');
  });

  test('TRIG-14 a goal that is gone or over is named, and nothing is half done', async () => {
    const gone = await make({
      action: { kind: 'message', goalId: 'g-0000000000000000', text: 'hello' },
    });
    const answer = await acted(gone);
    expect(answer.body).toMatchObject({
      state: 'refused',
      outcome: { place: 'not_found', text: expect.stringContaining('g-0000000000000000') },
    });
    const noThread = await make({ action: { kind: 'message', threadId: 'none', text: 'hello' } });
    expect((await acted(noThread)).body).toMatchObject({ state: 'refused' });
  });

  test('TRIG-15 whose owner was revoked does nothing, and says so', async () => {
    const name = `owner-${randomUUID().slice(0, 8)}`;
    const { token } = await world.client.send<{ token: string }>('POST', '/v1/tokens', {
      name,
      role: 'operator',
    });
    const own = createClient({ url: world.url, token });
    const trigger = await make(await starting('asks: revoked'), own);
    await world.client.send('DELETE', `/v1/tokens/${name}`, {});
    expect((await acted(trigger, { payload: { title: 'x' } })).body).toMatchObject({
      state: 'refused',
      outcome: { place: 'owner' },
    });
    expect(await goalsOf('asks: revoked')).toEqual([]);
  });

  test('TRIG-16 an edited row opens no secret: the database alone makes no trigger do more', async () => {
    const trigger = await make(brings());
    await world.database`
      UPDATE inbound_trigger SET owner = 'somebody-else' WHERE trigger_id = ${trigger.triggerId}`;
    expect((await deliver(trigger)).status).toBe(401);
    const { refused } = await shown(trigger.name);
    expect(refused.lastWhy).toContain('its row was changed');
    const [row] = await world.database<{ secret: Buffer }[]>`
      SELECT secret FROM inbound_trigger WHERE trigger_id = ${trigger.triggerId}`;
    expect(Buffer.from(row?.secret ?? []).toString()).not.toContain(trigger.secret);
  });
});

test('TRIG-19 one that has taken what it takes in an hour refuses new ones and keeps nothing', async () => {
  const trigger = await make({ ...brings(), mostPerHour: 2 });
  const payload = { branch: 'main', result: 'ok' };
  const first = await acted(trigger, { id: 'a', payload });
  expect((await deliver(trigger, { id: 'b', payload })).status).toBe(202);
  expect((await deliver(trigger, { id: 'c', payload })).status).toBe(429);
  // What was taken before is answered as before.
  const again = await deliver(trigger, { id: 'a', payload });
  expect(again.body).toEqual(first.body);
  const { deliveries = [], refused } = await shown(trigger.name);
  expect(deliveries).toHaveLength(2);
  expect(refused.lastWhy).toContain('2 deliveries in an hour');
});

describe('who may make triggers', () => {
  test('TRIG-17 people may, programs may not; each sees its own, an admin all', async () => {
    const agent = createClient({ url: world.url, token: TOKENS.agent });
    await expect(make(brings(), agent)).rejects.toThrow(/operator may/);
    const operator = createClient({ url: world.url, token: TOKENS.operator });
    const mine = await make(brings(), operator);
    const admins = await make(brings());
    const names = async (client: GoalWorld['client']) =>
      (await client.get<{ items: Trigger[] }>('/v1/triggers')).items.map(({ name }) => name);
    expect(await names(operator)).toEqual([mine.name]);
    expect(await names(world.client)).toEqual(expect.arrayContaining([mine.name, admins.name]));
    await expect(operator.get(`/v1/triggers/${admins.name}`)).rejects.toThrow(/not yours/);
    const text = JSON.stringify(await shown(mine.name));
    expect(text).not.toContain(mine.secret);
    await expect(
      world.client.send('POST', '/v1/triggers', { name: mine.name, ...brings() }),
    ).rejects.toThrow(/There is a trigger/);
  });

  test('TRIG-42 while it is paused, what comes is left out and told, and a repeat stays left out', async () => {
    const trigger = await make(await starting('asks: after the pause'));
    const path = `/v1/triggers/${trigger.name}`;
    const paused = await world.client.send<Trigger>('POST', `${path}/pause`, {});
    expect(paused.paused?.by).toBe(trigger.owner);
    const payload = { title: 'x' };
    const during = await deliver(trigger, { id: 'during', payload });
    expect(during.body).toMatchObject({ state: 'ignored', outcome: { place: 'paused' } });
    await world.client.send('POST', `${path}/resume`, {});
    expect((await deliver(trigger, { id: 'during', payload })).body.state).toBe('ignored');
    expect(await goalsOf('asks: after the pause')).toEqual([]);
    await deliver(trigger, { id: 'after', payload });
    const { deliveries = [], paused: now } = await waitUntil(async () => {
      const all = await shown(trigger.name);
      return all.deliveries?.[0]?.state === 'done' ? all : null;
    });
    expect(now).toBeUndefined();
    expect(deliveries.map(({ externalId, repeats }) => [externalId, repeats])).toEqual([
      ['after', 0],
      ['during', 1],
    ]);
  });

  test('TRIG-42 what was pending when it was paused waits until it is resumed', async () => {
    const trigger = await make(brings());
    const path = `/v1/triggers/${trigger.name}`;
    const { body } = await acted(trigger, { payload: { branch: 'main', result: 'red' } });
    await world.client.send('POST', `${path}/pause`, {});
    await world.database`
      UPDATE trigger_delivery SET state = 'pending', settled_at = NULL
      WHERE delivery_id = ${body.deliveryId}`;
    const stateOf = async () => (await shown(trigger.name)).deliveries?.[0]?.state;
    const keys = {
      secrets: sealedKeys([], world.environment.GOALKEEPER_HOME ?? ''),
      ledger: noKeys,
    };
    expect(await createTriggers(world.store, keys).claim(body.deliveryId)).toBeNull();
    expect(await stateOf()).toBe('pending');
    await world.client.send('POST', `${path}/resume`, {});
    await waitUntil(async () => (await stateOf()) === 'done');
  });

  test('TRIG-18 a test does nothing and tells all; a deleted one answers as one that never was', async () => {
    const trigger = await make(brings());
    const path = `/v1/triggers/${trigger.name}`;
    const verdict = await world.client.send('POST', `${path}/test`, {
      payload: { branch: 'main', result: 'red' },
    });
    expect(verdict).toMatchObject({
      verdict: 'acts',
      values: { branch: 'main', result: 'red' },
      act: { text: expect.stringContaining('CI of main: red') },
    });
    await world.client.send('DELETE', path, {});
    expect((await deliver(trigger)).status).toBe(401);
    await expect(world.client.get(path)).rejects.toThrow(/no trigger/);
  });
});

describe('wait_for {event}', () => {
  test('TRIG-20 a delivery wakes the goal that waits, and what came is told as a program’s', async () => {
    const trigger = await make(brings());
    const { goalId } = await startIn('waits: for ci');
    await untilWaiting(goalId, 'condition');
    const other = await acted(trigger, { payload: { branch: 'other', result: 'red' } });
    expect(other.body.outcome.waiting).toEqual([]);
    const met = await acted(trigger, { payload: { branch: 'main', result: 'green' } });
    expect(met.body).toMatchObject({ state: 'done', outcome: { waiting: [goalId] } });
    await untilAsked(goalId);
    expect(await heardBy(goalId)).toEqual([
      `Trigger ${trigger.name} brought the event ci.\nCI of main: green`,
    ]);
  });

  test('TRIG-21 one that came before the wait began, since the turn did, is not lost', async () => {
    const trigger = await make(brings());
    const path = await world.workspace({});
    const { goalId } = await world.start({
      objective: 'late: ci',
      workspace: { path },
      criteria: [],
    });
    await waitUntil(async () => (await world.get(goalId)).usage.steps > 0);
    await deliver(trigger, { payload: { branch: 'main', result: 'early' } });
    await writeFile(join(path, 'go'), '');
    await untilAsked(goalId);
    expect(await heardBy(goalId)).toHaveLength(1);
  });

  test('TRIG-22 each delivery meets one wait of a goal, and the next one meets the next', async () => {
    const trigger = await make(brings());
    const { goalId } = await startIn('again: ci');
    await untilWaiting(goalId, 'condition');
    await deliver(trigger, { payload: { branch: 'a', result: 'one' } });
    await waitUntil(async () => {
      const waits = await world.database`
        SELECT 1 FROM election WHERE goal_id = ${goalId} AND turn = 2 AND state = 'waiting'`;
      return waits.length > 0;
    });
    expect(await heardBy(goalId)).toHaveLength(1);
    await deliver(trigger, { payload: { branch: 'a', result: 'two' } });
    await untilAsked(goalId);
    expect(await heardBy(goalId)).toEqual([
      expect.stringContaining('one'),
      expect.stringContaining('two'),
    ]);
  });

  test('TRIG-23 the host says when nothing brings such an event', async () => {
    const { goalId } = await startIn('nothing: at all');
    await untilAsked(goalId);
    const [row] = await world.database<{ state: string; seen: string }[]>`
      SELECT state, seen FROM election WHERE goal_id = ${goalId}`;
    expect(row).toMatchObject({ state: 'timed_out', seen: expect.stringContaining('no trigger') });
  });
});

describe('what a program says', () => {
  test('TRIG-30 ends a wait as a person’s word does; the chain stays and the goal goes on', async () => {
    const { goalId, threadId } = await startIn('sleeps: long');
    const waiting = await untilWaiting(goalId, 'timer');
    const trigger = await make({
      parameters: { word: '$.word' },
      action: { kind: 'message', threadId, text: 'Now: {{word}}' },
    });
    const told = await acted(trigger, { payload: { word: 'go' } });
    expect(told.body).toMatchObject({ state: 'done', outcome: { goalId } });
    await untilAsked(goalId);
    expect(await heardBy(goalId)).toEqual([`Trigger ${trigger.name}:\nNow: go`]);
    const [turn] = await world.database<{ kind: string }[]>`
      SELECT kind FROM turn WHERE goal_id = ${goalId} AND turn = 2`;
    expect(turn?.kind).toBe('resume');
    expect(waiting.activity.on).toBe('timer');
  });

  test('TRIG-31 an amended objective ends a wait too; an amended budget does not', async () => {
    const { goalId } = await startIn('sleeps: amended');
    await untilWaiting(goalId, 'timer');
    const amend = (body: object) => world.client.send<Goal>('PATCH', `/v1/goals/${goalId}`, body);
    expect((await amend({ budget: { turns: 40 } })).activity.on).toBe('timer');
    expect((await amend({ objective: 'sleeps: something else' })).activity.on).toBeUndefined();
    await untilAsked(goalId);
  });
});

describe('a process that dies', () => {
  const journal = async (trigger: MadeTrigger, act: TriggerAct) => {
    const home = world.environment.GOALKEEPER_HOME ?? '';
    const triggers = createTriggers(world.store, { secrets: sealedKeys([], home), ledger: noKeys });
    const deliveryId = `td-${randomUUID()}`;
    await triggers.journal(trigger.triggerId, {
      ...{ deliveryId, externalId: deliveryId, bodySha256: '', isKnownByBody: false },
      ...{ event: null, state: 'pending', act, outcome: { text: '' } },
    });
    return { triggers, deliveryId };
  };
  const settled = (name: string) =>
    waitUntil(async () => (await shown(name)).deliveries?.[0]?.state === 'done');

  test('TRIG-40 between the journal and the act: the delivery is carried out', async () => {
    const trigger = await make(await starting('asks: {{title}}'));
    const { action } = trigger;
    if (action.kind !== 'start') throw new Error('it starts');
    await journal(trigger, { kind: 'start', goal: { ...action.goal, objective: 'asks: after' } });
    await settled(trigger.name);
    expect(await goalsOf('asks: after')).toHaveLength(1);
  });

  test('TRIG-41 between the act and its end: the act is found, not repeated', async () => {
    const { goalId } = await startIn('asks: twice');
    await untilAsked(goalId);
    const trigger = await make({ action: { kind: 'message', goalId, text: 'once' } });
    await deliver(trigger);
    await settled(trigger.name);
    const [one] = (await shown(trigger.name)).deliveries ?? [];
    // As the row stood before the end that the dead process did not write.
    await world.database`
      UPDATE trigger_delivery SET state = 'pending', settled_at = NULL, next_at = NULL,
        claimed_until = now() - interval '1 second'
      WHERE delivery_id = ${one?.deliveryId ?? ''}`;
    await settled(trigger.name);
    const inbox = await world.database`SELECT 1 FROM inbox WHERE goal_id = ${goalId}`;
    expect(inbox).toHaveLength(1);
    expect((await shown(trigger.name)).deliveries?.[0]?.attempts).toBe(2);
  });
});
