import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { defaultPayloadConverter, type Payload, type PayloadCodec } from '@temporalio/common';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import { createAppliesOfPeople } from '../../src/temporal/applies.ts';
import { createChecks } from '../../src/temporal/try-checks.ts';
import {
  answerExists,
  claim,
  openScriptedGoals,
  type ScriptedGoals,
  write,
} from '../support/scripted-goals.ts';
import { barrier, holdModelCalls, temporalClient, waitUntil } from './helpers.ts';

const ask = reply.call('ask_user', { question: 'Shall I paint the gazebo?' });
const { held, wrapPorts } = holdModelCalls();

let goals: ScriptedGoals;
/** Whoever reaches Temporal's port: the SDK's own client, without any of the service's keys. */
let raw: Client;
beforeAll(async () => {
  goals = await openScriptedGoals(
    { asks: sequence([ask, write, claim]), works: sequence([write, claim]) },
    { wrapPorts },
  );
  const { address, namespace } = goals.world.temporal;
  raw = new Client({ connection: await Connection.connect({ address }), namespace });
});
afterAll(async () => {
  await raw.connection.close();
  await goals.world.close();
});

const handleOf = (goalId: string) => raw.workflow.getHandle(`goal:${goalId}:1`);

const asking = async () => {
  const goalId = await goals.start('asks');
  await goals.world.until(goalId, ({ status }) => status === 'paused');
  return goalId;
};

interface Told {
  readonly what: string;
  readonly name: string;
  readonly why: string;
  readonly keyId: string | null;
}

/** What the goal's record tells of refusals. */
async function toldOf(goalId: string): Promise<Told[]> {
  const rows = await goals.world.database<{ data: Told }[]>`
    SELECT data FROM event WHERE goal_id = ${goalId} AND type = 'security.refused' ORDER BY seq`;
  return rows.map(({ data }) => data);
}

/** The goal takes a person's word as ever: it is answered and comes to its end. */
async function goesOn(goalId: string): Promise<void> {
  const { pause } = await goals.world.get(goalId);
  await goals.send(goalId, 'answers', { questionId: pause?.questionId, text: 'Yes.' });
  const { status } = await goals.world.until(goalId, (goal) => goal.status === 'complete');
  expect(status).toBe('complete');
}

const forged = (kind: string) => ({ commitId: randomUUID(), role: 'admin', by: 'Mallory', kind });

const payloadOf = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);

/** @returns the type of the failure that the goal's workflow answered with */
async function update(goalId: string, ...payloads: Payload[]): Promise<string | null | undefined> {
  const { outcome } = await raw.workflowService.updateWorkflowExecution({
    namespace: goals.world.temporal.namespace,
    workflowExecution: { workflowId: `goal:${goalId}:1` },
    request: { meta: { updateId: randomUUID() }, input: { name: 'order', args: { payloads } } },
    waitPolicy: { lifecycleStage: 3 },
  });
  return outcome?.failure?.applicationFailureInfo?.type;
}

const signal = (goalId: string, signalName: string, ...payloads: Payload[]) =>
  raw.workflowService.signalWorkflowExecution({
    namespace: goals.world.temporal.namespace,
    workflowExecution: { workflowId: `goal:${goalId}:1` },
    signalName,
    input: { payloads },
  });

test('SEC-1: an update by somebody without the key changes nothing, is told, and the goal goes on', async () => {
  const goalId = await asking();
  expect(await update(goalId, payloadOf(forged('complete')))).toBe('PayloadRefused');
  expect(await update(goalId)).toBeTruthy();
  expect(await update(goalId, payloadOf('nonsense'), payloadOf(null))).toBe('PayloadRefused');
  expect((await goals.world.get(goalId)).status).toBe('paused');
  const [told] = await waitUntil(async () => {
    const all = await toldOf(goalId);
    return all.length > 0 ? all : null;
  });
  expect(told).toEqual({ what: 'update', name: 'order', why: 'plain', keyId: null });
  await goesOn(goalId);
});

test('SEC-2: a signal by somebody without the key makes the goal do nothing, is told, and the goal goes on', async () => {
  const goalId = await asking();
  await handleOf(goalId).signal('family');
  await handleOf(goalId).signal('workspaceFree', goalId);
  await waitUntil(async () => (await toldOf(goalId)).length > 0);
  expect((await toldOf(goalId))[0]).toMatchObject({ what: 'signal', why: 'plain' });
  const { events } = await handleOf(goalId).fetchHistory();
  const asked = events?.map(
    (event) => event.activityTaskScheduledEventAttributes?.activityType?.name,
  );
  expect(asked).not.toContain('heedFamily');
  await goesOn(goalId);
});

test('SEC-3: a check that somebody without the key starts runs no command, and is told', async () => {
  const folder = await goals.world.workspace({});
  await goals.world.until(
    await goals.start('works', { workspace: { path: folder } }),
    ({ status }) => status === 'complete',
  );
  const [{ name } = { name: '' }] = await goals.world.database<{ name: string }[]>`
    SELECT name FROM workspace WHERE path = ${folder}`;
  const order = {
    checkId: randomUUID(),
    workspace: name,
    taskQueue: goals.world.queues.workspacesOf(hostname()),
    criterion: { kind: 'command', command: 'touch owned' },
    network: 'host',
  };
  const started = raw.workflow.execute('tryCheckWorkflow', {
    workflowId: `check:${order.checkId}`,
    taskQueue: goals.world.queues.goals,
    args: [order],
  });
  await expect(started).rejects.toThrow('Unknown encoding: binary/encrypted');
  expect(existsSync(join(folder, 'owned'))).toBe(false);
  const [entry] = await waitUntil(async () => {
    const rows = await goals.world.database<{ subject: string; data: Told }[]>`
      SELECT subject, data FROM security_log WHERE data->>'name' = 'tryCheckWorkflow'`;
    return rows.length > 0 ? rows : null;
  });
  expect(entry).toMatchObject({ subject: `check:${order.checkId}`, data: { why: 'plain' } });
});

test('SEC-4: what was encrypted for one goal is refused by another', async () => {
  const from = await asking();
  await goals.send(from, 'messages', { text: 'Paint it green.', delivery: 'pause' });
  const to = await asking();
  const { events } = await handleOf(from).fetchHistory();
  const [captured] = (events ?? []).flatMap((event) => {
    const accepted = event.workflowExecutionUpdateAcceptedEventAttributes;
    return accepted?.acceptedRequest?.input?.args?.payloads ?? [];
  });
  expect(await update(to, captured as Payload)).toBe('PayloadRefused');
  await waitUntil(async () => (await toldOf(to)).length > 0);
  expect((await toldOf(to))[0]).toMatchObject({ what: 'update', why: 'forged' });
  await goesOn(to);
});

test('SEC-5: an update that is too large changes nothing, and the goal goes on', {
  tags: 'campaign',
}, async () => {
  const goalId = await asking();
  const large = update(goalId, payloadOf('x'.repeat(3_000_000))).catch(() => 'given up');
  expect(await large).not.toBe(null);
  // The server gives it up after some tries of the task whose answer would have to hold it.
  await waitUntil(
    async () => (await update(goalId, payloadOf('small')).catch(() => '')) === 'PayloadRefused',
    40_000,
  );
  await goesOn(goalId);
});

test('SEC-5: an update or signal under a key that nobody has changes nothing and blocks nothing', async () => {
  const goalId = await asking();
  expect(await update(goalId, underKey('0badc0de'))).toBe('PayloadRefused');
  await signal(goalId, 'family', underKey('0badc0de'));
  await goesOn(goalId);
});

const underKey = (keyId: string): Payload => ({
  metadata: {
    encoding: Buffer.from('binary/encrypted'),
    'encryption-key-id': Buffer.from(keyId),
  },
  data: Buffer.alloc(60, 7),
});

test('SEC-6: a result that no worker of the service gave counts as none: the activity runs again', async () => {
  Object.assign(held, { at: held.calls + 1, also: 1 });
  const goalId = await goals.start('works');
  await held.gate.reached;
  const workflowId = `goal:${goalId}:1`;
  const { raw: described } = await handleOf(goalId).describe();
  const [pending] = described.pendingActivities ?? [];
  expect(pending?.activityType?.name).toBe('runTurn');
  const facts = { turn: 1, kind: 'start', mode: 'agent', end: 'claim' };
  const activityId = pending?.activityId ?? '';
  await raw.activity.complete({ workflowId, activityId }, { facts });
  const again = await waitUntil(async () => {
    const { raw: now } = await handleOf(goalId).describe();
    return now.pendingActivities?.find((one) => one.activityId !== activityId)?.activityId;
  });
  await raw.workflowService.respondActivityTaskCompletedById({
    namespace: goals.world.temporal.namespace,
    workflowId,
    activityId: again,
  });
  held.gate.open();
  const goal = await goals.world.until(goalId, ({ status }) => status === 'complete');
  expect(goal.completion?.verification).not.toBe('none');
  await waitUntil(async () => (await toldOf(goalId)).length > 0);
  const [told] = await toldOf(goalId);
  expect(told).toMatchObject({ what: 'result', name: 'runTurn', why: 'plain' });
});

test('SEC-20: what an activity was asked, given back as its result, counts as none', async () => {
  Object.assign(held, { at: held.calls + 1, also: 0, gate: barrier() });
  const goalId = await goals.start('works');
  await held.gate.reached;
  const workflowId = `goal:${goalId}:1`;
  const { events } = await handleOf(goalId).fetchHistory();
  const asked = events
    ?.map(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled)
    .findLast((scheduled) => scheduled?.activityType?.name === 'runTurn');
  const activityId = asked?.activityId ?? '';
  await raw.workflowService.respondActivityTaskCompletedById({
    namespace: goals.world.temporal.namespace,
    workflowId,
    activityId,
    result: asked?.input ?? null,
  });
  await waitUntil(async () => (await toldOf(goalId)).length > 0);
  held.gate.open();
  const [told] = await toldOf(goalId);
  expect(told).toMatchObject({ what: 'result', name: 'runTurn', why: 'forged' });
  const goal = await goals.world.until(goalId, ({ status }) => status === 'complete');
  expect(goal.completion?.verification).not.toBe('none');
});

test('SEC-41: results that are refused again and again are asked for at growing distances, then the goal says that it stands, and a resume goes on', {
  tags: 'campaign',
}, async () => {
  Object.assign(held, { at: held.calls + 1, also: 100, gate: barrier() });
  const goalId = await goals.start('works');
  await held.gate.reached;
  const answered = new Set<string>();
  await waitUntil(async () => {
    const { status, raw: described } = await handleOf(goalId).describe();
    if (status.name !== 'RUNNING') return true;
    const slices = described.pendingActivities?.filter(
      ({ activityType, activityId }) =>
        activityType?.name === 'runTurn' && !answered.has(activityId ?? ''),
    );
    for (const { activityId } of slices ?? []) {
      answered.add(activityId ?? '');
      const workflowId = `goal:${goalId}:1`;
      await raw.activity
        .complete({ workflowId, activityId: activityId ?? '' }, 'mine')
        .catch(() => answered.delete(activityId ?? ''));
    }
    // As it was: asked for at once, without end.
    return answered.size > 8;
  });
  const { events } = await handleOf(goalId).fetchHistory();
  const askedAt = (events ?? [])
    .filter(({ activityTaskScheduledEventAttributes: asked }) => {
      return asked?.activityType?.name === 'runTurn';
    })
    .map(({ eventTime }) => Number(eventTime?.seconds) * 1000 + Number(eventTime?.nanos) / 1e6);
  const pauses = askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? 0));
  expect(pauses).toHaveLength(7);
  for (const [index, pause] of pauses.entries())
    expect(pause).toBeGreaterThanOrEqual(100 * 2 ** index);
  held.gate.open();
  const paused = await goals.world.until(goalId, ({ status }) => status === 'paused');
  expect(paused.pause?.reason).toBe('recovery');
  expect((await toldOf(goalId))[0]).toMatchObject({ what: 'result', name: 'runTurn' });
  await goals.send(goalId, 'resume');
  const goal = await goals.world.until(goalId, ({ status }) => status === 'complete');
  expect(goal.completion?.verification).not.toBe('none');
});

test('SEC-42: a check or a branch whose payload is refused is told as such, not as a fault of the service', async () => {
  const { queues } = goals.world;
  const principal = { role: 'operator', name: 'ada' } as const;
  const place = async () => {};
  const told = { code: 'worker_unavailable', message: expect.stringContaining('Refused: ') };
  const reading = await readingClient();
  const checks = createChecks(reading, queues, { place });
  const check = { workspace: 'w', host: 'h', criterion: answerExists, principal };
  await expect(checks.try(check as never)).rejects.toMatchObject(told);
  const applies = createAppliesOfPeople(reading, queues, { place, answer: place });
  const branch = { principal, goalId: 'g-0000000000000000', commitId: randomUUID() };
  await expect(applies.apply(branch)).rejects.toMatchObject(told);
});

/** Reads what the service wrote, and encrypts nothing of its own. */
async function readingClient(): Promise<Client> {
  const own = temporalClient(goals.world);
  const [codec] = own.options.loadedDataConverter.payloadCodecs;
  await own.connection.close();
  if (codec === undefined) throw new Error('the service encrypts nothing');
  const { connection, options } = raw;
  const reads: PayloadCodec = {
    encode: async (payloads) => payloads,
    decode: (payloads, context) => codec.decode(payloads, context),
  };
  return new Client({
    ...{ connection, namespace: options.namespace },
    dataConverter: { payloadCodecs: [reads] },
  });
}

test('SEC-7: nothing of a goal is readable in Temporal: objective, question, answer, file names, results', async () => {
  const words = [
    'gazebo',
    'crimson-otter',
    'answer.txt',
    'It is written',
    'Yes, quickly',
    'objective',
  ];
  const goalId = await goals.start('asks', { objective: 'asks: find the crimson-otter' });
  const { pause } = await goals.world.until(goalId, ({ status }) => status === 'paused');
  await goals.send(goalId, 'answers', { questionId: pause?.questionId, text: 'Yes, quickly.' });
  await goals.world.until(goalId, ({ status }) => status === 'complete');
  const history = await handleOf(goalId).fetchHistory();
  const described = await handleOf(goalId).describe();
  const kept = textsIn([history, described.raw]);
  expect(kept.length).toBeGreaterThan(200);
  for (const word of words) expect(kept.filter((text) => text.includes(word))).toEqual([]);
  const payloads = payloadsIn(history);
  expect(payloads.length).toBeGreaterThan(20);
  const encodings = payloads.map(({ metadata }) => Buffer.from(metadata.encoding).toString());
  expect(new Set(encodings)).toEqual(new Set(['binary/encrypted']));
});

/** Every text and every row of bytes, read as text. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('latin1')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

interface SeenPayload {
  readonly metadata: { readonly encoding: Uint8Array };
}

/** Temporal's own search attributes and patch ids are left out: they hold no content. */
function payloadsIn(value: unknown, name = ''): SeenPayload[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  if (name === 'searchAttributes' || name === 'markerRecordedEventAttributes') return [];
  if ('metadata' in value && 'data' in value) return [value as SeenPayload];
  return Object.entries(value).flatMap(([key, inner]) => payloadsIn(inner, key));
}

test('SEC-8: people read in the history what was sent', async () => {
  const goalId = await asking();
  await goals.send(goalId, 'messages', { text: 'Paint it green.', delivery: 'pause' });
  const history = await waitUntil(async () => {
    const { items } = await goals.world.client.get<{
      items: { turn: number; events: { about: string }[] }[];
    }>(`/v1/goals/${goalId}/history`);
    const abouts = items.flatMap(({ events }) => events.map(({ about }) => about));
    return abouts.some((about) => about.includes('order')) ? { items, abouts } : null;
  });
  expect(history.abouts).toContain('order: message');
  expect(history.items.map(({ turn }) => turn)).toContain(1);
});
