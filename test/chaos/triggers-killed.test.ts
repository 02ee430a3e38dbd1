import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { MadeTrigger, TriggerDelivery } from '../../schema/trigger.ts';
import { signedHeaders } from '../../src/webhooks/sign.ts';
import { type GoalWorld, OWN, openGoalWorld } from '../support/goal-world.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { forkOwn, type SupervisedWorker, superviseWorker } from './supervisor.ts';

/** `CHAOS_KILLS` and `CHAOS_SEED` repeat a run. */
const KILLS = Number(process.env.CHAOS_KILLS ?? 200);
const SEED = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);
const SENDERS = 3;
const LONGEST_LIFE_MS = 600;

const scripts: Record<string, Script> = {
  asks: sequence([reply.call('ask_user', { question: 'Go on?' })]),
  // One wait behind the other, as long as it is asked.
  listens: () => reply.call('wait_for', { event: 'tick', timeoutSeconds: 3600 }),
};
const script: Script = (request) =>
  (scripts[objectiveOf(request).split(':')[0] ?? ''] ?? scripts.asks ?? sequence([]))(request);

let world: GoalWorld;
let worker: SupervisedWorker;
let api: ChildProcess;
let ready: Promise<unknown>;
let isStopping = false;
let apiKills = 0;
let workerKills = 0;

function startApi(): void {
  api = forkOwn('api', world, {});
  ready = Promise.race([once(api, 'message'), once(api, 'exit')]);
  api.once('exit', () => isStopping || startApi());
}

beforeAll(async () => {
  world = await openGoalWorld({ script, worker: false, apiPort: await freePort() });
  startApi();
  await ready;
  worker = await superviseWorker(world);
});
afterAll(async () => {
  isStopping = true;
  await worker.stop();
  api.kill('SIGKILL');
  await world.close();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

/** mulberry32: small, and the same everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

interface Sent {
  readonly kind: Kind;
  readonly token: string;
  readonly id: string;
}
type Kind = 'start' | 'message' | 'event';

/** As senders do: the same id again until the service says that it has it. */
async function deliver(trigger: MadeTrigger, { id, token }: Sent): Promise<TriggerDelivery> {
  const body = JSON.stringify({ token });
  for (;;) {
    const headers = signedHeaders(id, body, trigger.secret, Date.now());
    try {
      const answer = await fetch(world.url + trigger.path, { method: 'POST', headers, body });
      if (answer.status === 202) return (await answer.json()) as TriggerDelivery;
    } catch {
      // Nobody listens at the moment, or died in the middle.
    }
    await pause(50);
  }
}

test(`each delivery acts exactly once over ${KILLS} kills of API and worker`, async () => {
  console.log(`CHAOS_SEED=${SEED}`);
  const random = randomFrom(SEED);
  const path = await world.workspace({});
  const policy = { continuation: { chainLength: 1000, chainTokens: 0 } };
  const standing = (objective: string, more: object = {}) =>
    world.start({ objective, workspace: { path }, criteria: [], ...more });
  const talked = await standing('asks: and is told', {
    workspace: { path: await world.workspace({}) },
  });
  const listener = await standing('listens: to ticks', { policy, budget: { turns: 5000 } });
  await world.until(listener.goalId, ({ activity }) => activity.on === 'condition');
  const parameters = { token: '$.token' };
  const goal = { ...OWN, objective: 'asks: {{token}}', workspace: { path }, criteria: [] };
  const make = (name: Kind, action: object) =>
    world.client.send<MadeTrigger>('POST', '/v1/triggers', {
      ...{ name, parameters, action, mostPerHour: 10_000 },
    });
  const triggers: Record<Kind, MadeTrigger> = {
    start: await make('start', { kind: 'start', goal }),
    message: await make('message', { kind: 'message', goalId: talked.goalId, text: '{{token}}' }),
    event: await make('event', { kind: 'event', name: 'tick', text: '{{token}}' }),
  };

  const all: Sent[] = [];
  let isOver = false;
  const send = async () => {
    while (!isOver) {
      const kind = (['start', 'message', 'event'] as const)[Math.floor(random() * 3)] ?? 'start';
      const sent = { kind, token: randomUUID(), id: randomUUID() };
      all.push(sent);
      await deliver(triggers[kind], sent);
      // Some senders repeat what was taken.
      if (random() < 0.2) await deliver(triggers[kind], sent);
      await pause(random() * 400);
    }
  };
  const senders = Promise.all(Array.from({ length: SENDERS }, send));
  for (let kills = 0; kills < KILLS; kills += 1) {
    await pause(random() * LONGEST_LIFE_MS);
    if (random() < 0.7) {
      apiKills += 1;
      api.kill('SIGKILL');
      await pause(20);
      await ready;
    } else {
      workerKills += 1;
      worker.kill('SIGKILL');
      await worker.untilRunning();
    }
  }
  isOver = true;
  await senders;

  await waitUntil(async () => {
    const left = await world.database`SELECT 1 FROM trigger_delivery WHERE state = 'pending'`;
    return left.length === 0;
  });
  const events = all.filter(({ kind }) => kind === 'event');
  await waitUntil(async () => {
    const heard = await world.database`
      SELECT 1 FROM inbox WHERE goal_id = ${listener.goalId} AND taken_by_turn IS NOT NULL`;
    return heard.length >= events.length;
  });
  const deliveries = await world.database<{ external_id: string; state: string }[]>`
    SELECT external_id, state FROM trigger_delivery`;
  expect(deliveries.map(({ external_id }) => external_id).toSorted()).toEqual(
    all.map(({ id }) => id).toSorted(),
  );
  expect(deliveries.filter(({ state }) => state !== 'done')).toEqual([]);
  const objectives = await world.database<{ objective: string }[]>`
    SELECT objective FROM goal WHERE objective LIKE 'asks: %-%-%'`;
  const said = await world.database<{ goal_id: string; text: string }[]>`
    SELECT goal_id, text FROM inbox`;
  for (const { kind, token } of all) {
    const times =
      kind === 'start'
        ? objectives.filter(({ objective }) => objective.endsWith(token)).length
        : said.filter(({ text }) => text.includes(token)).length;
    expect([kind, token, times]).toEqual([kind, token, 1]);
  }
  const repeated = await world.database<{ most: number }[]>`
    SELECT max(attempts)::int AS most FROM trigger_delivery`;
  console.log(
    `${apiKills} kills of the API and ${workerKills} of the worker; ${all.length} deliveries ` +
      `(${events.length} events) each acted once, at most ${repeated[0]?.most} tries`,
  );
}, 3_600_000);
