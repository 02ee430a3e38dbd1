import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { MadeTrigger, TriggerDelivery } from '../../schema/trigger.ts';
import { type Client, createClient } from '../../src/cli/client.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { signedHeaders } from '../../src/webhooks/sign.ts';
import { freshFolder, openUp, type UpWorld } from '../cli/up-world.ts';
import { eventually } from '../support/eventually.ts';
import { OWN } from '../support/goal-world.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { tally } from './tally.ts';
import { type Kills, killOne, pause } from './up-kills.ts';

/** `CHAOS_KILLS` and `CHAOS_SEED` repeat a run. */
const KILLS = Number(process.env.CHAOS_KILLS ?? 200);
const SEED = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);
const SENDERS = 3;
const LONGEST_LIFE_MS = 6000;
const LONGEST_PAUSE_MS = 3000;
const TOKEN = 'chaos-admin-token-0000';

const scripts: Record<string, Script> = {
  asks: sequence([reply.call('ask_user', { question: 'Go on?' })]),
  // One wait behind the other, as long as it is asked.
  listens: () => reply.call('wait_for', { event: 'tick', timeoutSeconds: 3600 }),
};
const script: Script = (request) =>
  (scripts[objectiveOf(request).split(':')[0] ?? ''] ?? scripts.asks ?? sequence([]))(request);

let up: UpWorld;
let store: Store;
let url: string;
let client: Client;
beforeAll(async () => {
  const port = await freePort();
  up = await openUp(script, {
    GOALKEEPER_TOKENS: `admin:${TOKEN}`,
    GOALKEEPER_PORT: String(port),
  });
  store = openStore(up.databaseUrl, { connections: 2 });
  url = `http://127.0.0.1:${port}`;
  client = createClient({ url, token: TOKEN });
}, 120_000);
afterAll(async () => {
  await store?.close();
  await up?.close();
}, 60_000);

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
      const answer = await fetch(url + trigger.path, { method: 'POST', headers, body });
      if (answer.status === 202) return (await answer.json()) as TriggerDelivery;
    } catch {
      // Nobody listens at the moment, or died in the middle.
    }
    await pause(50);
  }
}

/** One that was tried often while something was away is tried again ten minutes later. */
async function settled(): Promise<void> {
  for (const deadline = Date.now() + 1_500_000; ; await pause(500)) {
    const left = await store.sql`
      SELECT act->>'kind' AS kind, attempts, next_at, outcome
      FROM trigger_delivery WHERE state = 'pending'`;
    if (left.length === 0) return;
    if (Date.now() > deadline) throw new Error(`deliveries wait: ${JSON.stringify(left)}`);
  }
}

test(`TRIG-45 ${KILLS} kills of workers, API, Temporal and PostgreSQL: each delivery acts exactly once`, async () => {
  console.log(`CHAOS_SEED=${SEED}`);
  const random = randomFrom(SEED);
  const path = freshFolder();
  const policy = { continuation: { chainLength: 1000, chainTokens: 0 } };
  const standing = (objective: string, more: object = {}) =>
    client.send<Goal>('POST', '/v1/goals', {
      ...{ ...OWN, objective, workspace: { path }, criteria: [], ...more },
    });
  const talked = await standing('asks: and is told', { workspace: { path: freshFolder() } });
  const listener = await standing('listens: to ticks', { policy, budget: { turns: 5000 } });
  await waitUntil(async () => {
    const { activity } = await client.get<Goal>(`/v1/goals/${listener.goalId}`);
    return activity.on === 'condition';
  });
  const parameters = { token: '$.token' };
  const goal = { ...OWN, objective: 'asks: {{token}}', workspace: { path }, criteria: [] };
  const make = (name: Kind, action: object) =>
    client.send<MadeTrigger>('POST', '/v1/triggers', {
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
      await pause(random() * LONGEST_PAUSE_MS);
    }
  };
  const senders = Promise.all(Array.from({ length: SENDERS }, send));
  const counts: Kills = new Map();
  for (let kills = 0; kills < KILLS; ) {
    await pause(random() * LONGEST_LIFE_MS);
    if (await killOne({ pid: up.pid, sql: store.sql }, counts, random)) kills += 1;
  }
  isOver = true;
  await senders;

  await eventually(() => store.sql`SELECT 1`);
  await settled();
  const events = all.filter(({ kind }) => kind === 'event');
  await waitUntil(async () => {
    const heard = await store.sql`
      SELECT 1 FROM inbox WHERE goal_id = ${listener.goalId} AND taken_by_turn IS NOT NULL`;
    return heard.length >= events.length;
  });
  const deliveries = await store.sql<{ external_id: string; state: string }[]>`
    SELECT external_id, state FROM trigger_delivery`;
  expect(deliveries.map(({ external_id }) => external_id).toSorted()).toEqual(
    all.map(({ id }) => id).toSorted(),
  );
  expect(deliveries.filter(({ state }) => state !== 'done')).toEqual([]);
  const objectives = await store.sql<{ objective: string }[]>`
    SELECT objective FROM goal WHERE objective LIKE 'asks: %-%-%'`;
  const said = await store.sql<{ goal_id: string; text: string }[]>`
    SELECT goal_id, text FROM inbox`;
  for (const { kind, token } of all) {
    const times =
      kind === 'start'
        ? objectives.filter(({ objective }) => objective.endsWith(token)).length
        : said.filter(({ text }) => text.includes(token)).length;
    expect([kind, token, times]).toEqual([kind, token, 1]);
  }
  const repeated = await store.sql<{ most: number }[]>`
    SELECT max(attempts)::int AS most FROM trigger_delivery`;
  tally({
    ...{ play: 'triggers', deaths: Object.fromEntries(counts), frozen: 0, wrong: [] },
    looked: all.length,
  });
  const died = JSON.stringify(Object.fromEntries(counts));
  console.log(
    `${KILLS} kills (${died}); ${all.length} deliveries (${events.length} events) each acted ` +
      `once, at most ${repeated[0]?.most} tries`,
  );
}, 3_600_000);
