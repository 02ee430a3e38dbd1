import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { Problem } from '../../schema/problem.ts';
import { loadConfig } from '../../src/app/config.ts';
import { startApi } from '../../src/app/run-api.ts';
import { runWorker } from '../../src/app/run-worker.ts';
import { createClient } from '../../src/cli/client.ts';
import { temporalKeys } from '../../src/sealed/keys.ts';
import { TOKENS } from '../support/goal-world.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { holdModelCalls, temporalClient, waitUntil } from './helpers.ts';

const FIRST = 'the-first-secret-of-all';
const SECOND = 'the-second-secret-of-all';

const ask = reply.call('ask_user', { question: 'Shall I go on?' });
const { held, wrapPorts } = holdModelCalls();

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals(
    { asks: sequence([ask, write, claim]), works: sequence([write, claim]) },
    { worker: false, environment: { GOALKEEPER_TEMPORAL_KEYS: FIRST } },
  );
});
const services: { stop(): Promise<void> }[] = [];
afterAll(async () => {
  for (const service of [...services]) await service.stop();
  await goals.world.close();
});

const keyIdOf = (secret: string): string => temporalKeys([secret], '/nowhere').sealing().keyId;

/** An API and a worker with these keys, as after a restart of both. */
async function serve(keys: string) {
  const { environment, temporal } = goals.world;
  const config = loadConfig({ ...environment, GOALKEEPER_TEMPORAL_KEYS: keys });
  const databaseUrl = config.databaseUrl ?? '';
  const worker = await runWorker({
    config: { ...config, databaseUrl },
    temporal,
    workspaces: [],
    log: pino({ level: 'silent' }),
    wrapPorts,
  });
  const api = await startApi({ config, databaseUrl, temporal });
  const client = createClient({ url: api.url, token: TOKENS.admin });
  const service = {
    client,
    answer: async (goalId: string) => {
      const { pause } = await goals.world.get(goalId);
      const body = { questionId: pause?.questionId, text: 'Yes.' };
      return client.send<Goal>('POST', `/v1/goals/${goalId}/answers`, body);
    },
    async stop() {
      await api.close();
      worker.stop();
      await worker.done;
      services.splice(services.indexOf(service), 1);
    },
  };
  services.push(service);
  return service;
}

async function askedUnder(keys: string): Promise<string> {
  const service = await serve(keys);
  const goalId = await goals.start('asks');
  await goals.world.until(goalId, ({ status }) => status === 'paused');
  await service.stop();
  return goalId;
}

async function keysIn(goalId: string): Promise<string[]> {
  const temporal = temporalClient(goals.world);
  const { events } = await temporal.workflow.getHandle(`goal:${goalId}:1`).fetchHistory();
  await temporal.connection.close();
  const payloads = (events ?? []).flatMap(
    (event) => event.activityTaskScheduledEventAttributes?.input?.payloads ?? [],
  );
  const ids = payloads.map(({ metadata }) => Buffer.from(metadata?.['encryption-key-id'] ?? []));
  return [...new Set(ids.map(String))];
}

test('SEC-9: after a rotation old goals are read and go on, and what is new is under the new key', async () => {
  const goalId = await askedUnder(FIRST);
  const service = await serve(`${SECOND},${FIRST}`);
  await service.answer(goalId);
  await goals.world.until(goalId, ({ status }) => status === 'complete');
  expect(await keysIn(goalId)).toEqual([keyIdOf(FIRST), keyIdOf(SECOND)]);
  const { items } = await service.client.get<{ items: { turn: number; events: unknown[] }[] }>(
    `/v1/goals/${goalId}/history`,
  );
  expect(items.filter(({ events }) => events.length > 0).map(({ turn }) => turn)).toContain(1);
  await service.stop();
});

test('SEC-10: a goal whose key is gone stands, says so, loses nothing, and goes on when the key is back', async () => {
  const goalId = await askedUnder(FIRST);
  const without = await serve(SECOND);
  const { code } = await without.answer(goalId).then(
    () => ({ code: 'accepted' }),
    ({ problem }: { problem: Problem }) => problem,
  );
  expect(code).toBe('worker_unavailable');
  const told = await waitUntil(async () => {
    const rows = await goals.world.database<{ data: object }[]>`
      SELECT data FROM event WHERE goal_id = ${goalId} AND type = 'security.refused'`;
    return rows[0]?.data;
  });
  expect(told).toMatchObject({ what: 'payload', why: 'key', keyId: keyIdOf(FIRST) });
  expect((await goals.world.get(goalId)).status).toBe('paused');
  await without.stop();
  const again = await serve(`${SECOND},${FIRST}`);
  // The server repeats a failed workflow task after a pause that grows.
  await waitUntil(() => again.answer(goalId).catch(() => null));
  await goals.world.until(goalId, ({ status }) => status === 'complete');
  await again.stop();
});

test('SEC-11: a goal from before the encryption goes on in an execution of the next epoch', async () => {
  const service = await serve(FIRST);
  const { database } = goals.world;
  const asking = await goals.start('asks');
  await goals.world.until(asking, ({ status }) => status === 'paused');
  Object.assign(held, { at: held.calls + 1 });
  const working = await goals.start('works');
  await held.gate.reached;
  const both = [asking, working];
  await database`UPDATE run SET is_sealed = false WHERE goal_id IN ${database(both)}`;
  await waitUntil(async () => {
    const rows =
      await database`SELECT 1 FROM goal WHERE goal_id IN ${database(both)} AND epoch = 2`;
    return rows.length === 2;
  });
  held.gate.open();
  await goals.world.until(working, ({ status }) => status === 'complete');
  await service.answer(asking);
  await goals.world.until(asking, ({ status }) => status === 'complete');
  const temporal = temporalClient(goals.world);
  const { status } = await temporal.workflow.getHandle(`goal:${asking}:1`).describe();
  await temporal.connection.close();
  expect(status.name).toBe('TERMINATED');
  const events = await database<{ type: string }[]>`
    SELECT type FROM event WHERE goal_id = ${working}`;
  const types = events.map(({ type }) => type);
  expect(types).toContain('execution.renewed');
  expect(types).not.toContain('goal.paused');
  await service.stop();
});
