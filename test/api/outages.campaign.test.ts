import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/app/config.ts';
import { type RunningApi, startApi } from '../../src/app/run-api.ts';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';
import { type CuttableProxy, startCuttableProxy } from './cuttable-proxy.ts';
import { answerExists, liveScript } from './live-script.ts';
import { worldCaller } from './world-calls.ts';

/** The worker reaches its servers; only the API under test loses them. */
let world: GoalWorld;
let api: RunningApi;
let postgres: CuttableProxy;
let temporal: CuttableProxy;
let call: ReturnType<typeof worldCaller>;
const restore: (() => Promise<void>)[] = [];

beforeAll(async () => {
  world = await openGoalWorld({ script: liveScript });
  const { host, port, user, pass, database } = world.database.options;
  postgres = await startCuttableProxy({ host: String(host[0]), port: Number(port[0]) });
  const [temporalHost = '', temporalPort = ''] = world.temporal.address.split(':');
  temporal = await startCuttableProxy({ host: temporalHost, port: Number(temporalPort) });
  const databaseUrl = `postgresql://${user}:${String(pass)}@${postgres.address}/${database}`;
  const config = loadConfig({
    GOALKEEPER_HOME: world.environment.GOALKEEPER_HOME,
    GOALKEEPER_PORT: '0',
    GOALKEEPER_LOG: 'silent',
    GOALKEEPER_SANDBOX: 'auto',
    GOALKEEPER_TOKENS: Object.entries(TOKENS)
      .map(([role, token]) => `${role}:${token}`)
      .join(','),
    GOALKEEPER_MODEL: 'compatible/scripted',
    OPENAI_COMPATIBLE_BASE_URL: world.model.url,
    OPENAI_COMPATIBLE_API_KEY: 'none-needed',
  });
  const { namespace } = world.temporal;
  api = await startApi({
    config,
    databaseUrl,
    temporal: { address: temporal.address, namespace },
  });
  call = worldCaller(api);
});

afterEach(async () => {
  for (const work of restore.splice(0)) await work();
});

afterAll(async () => {
  await api.close();
  await postgres.cut();
  await temporal.cut();
  await world.close();
});

const cut = async (proxy: CuttableProxy) => {
  await proxy.cut();
  restore.push(proxy.restore);
};

const back = async () => {
  for (const work of restore.splice(0)) await work();
};

const eventually = async (look: () => Promise<boolean>) => {
  const deadline = Date.now() + 200_000;
  while (!(await look())) {
    if (Date.now() > deadline) throw new Error('it never came to that');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

describe('while Postgres is away', () => {
  test('everything of the record is a 503 with Retry-After, and it comes back by itself', async () => {
    const goal = await world.start({
      objective: 'hangs: go',
      workspace: { path: await world.workspace({}) },
    });
    const line = `/v1/goals/${goal.goalId}`;
    expect((await call(`GET ${line}`)).status).toBe(200);
    await cut(postgres);
    for (const request of [
      `GET ${line}`,
      'GET /v1/goals',
      `POST ${line}/pause`,
      'POST /v1/goals',
    ]) {
      const isStart = request === 'POST /v1/goals';
      const body = { objective: 'writes: go', workspace: { name: goal.workspace.name } };
      const answer = await call(request, isStart ? { body } : {});
      expect([request, answer.status, answer.body.code]).toEqual([
        request,
        503,
        'database_unavailable',
      ]);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await call('GET /healthz')).status).toBe(200);
    expect((await call('GET /v1/models')).status).toBe(200);
    const ready = await call('GET /readyz');
    expect([ready.status, ready.body.checks.postgres]).toEqual([503, 'unavailable']);
    await back();
    await eventually(async () => (await call(`GET ${line}`)).status === 200);
    expect((await call(`POST ${line}/clear`)).status).toBe(200);
  });
});

describe('while Temporal is away', () => {
  test('reads go on, a start is accepted and runs, a mutation is a 503 that its key repeats', async () => {
    const goal = await world.start({
      objective: 'hangs: go',
      workspace: { path: await world.workspace({}) },
    });
    const line = `/v1/goals/${goal.goalId}`;
    await world.until(goal.goalId, ({ usage }) => usage.turns === 1);
    await cut(temporal);
    expect((await call(`GET ${line}`)).status).toBe(200);
    expect((await call(`GET ${line}/ledger`)).status).toBe(200);
    const paused = await call(`POST ${line}/pause`, { body: {}, key: 'pause' });
    expect([paused.status, paused.body.code]).toEqual([503, 'temporal_unavailable']);
    expect(Number(paused.headers['retry-after'])).toBeGreaterThan(0);
    const started = await call('POST /v1/goals', {
      body: {
        objective: 'writes: go',
        criteria: [answerExists],
        scope: { change: ['answer.txt'] },
        workspace: { path: await world.workspace({}) },
      },
    });
    expect(started.status).toBe(201);
    await world.until(started.body.goalId, ({ status }) => status === 'complete');
    await back();
    await eventually(async () => {
      const retry = await call(`POST ${line}/pause`, { body: {}, key: 'pause' });
      return retry.status === 200 && retry.body.status === 'paused';
    });
  });
});
