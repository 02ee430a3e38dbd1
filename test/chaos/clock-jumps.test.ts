import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import { createClient } from '../../src/cli/client.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { FAKETIME, FAKETIME_LIBRARY, testWith } from '../support/needs.ts';
import { claim, write } from '../support/scripted-goals.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { forkOwn, type SupervisedWorker, superviseWorker } from './supervisor.ts';

/** The clock on the wall of the worker's process; the monotonic one, as on any machine, goes on. */
const JUMPS = ['+2d', '-2d', '+400d', '-1h', '+0'];
const test = testWith(FAKETIME);

let world: GoalWorld;
let worker: SupervisedWorker;
let clock: string;
const jump = (to: string) => writeFileSync(clock, `${to}\n`);

/** Each step is asked for at another time. */
const jumpy: Script = (request) => {
  const work = JUMPS.flatMap((to) => [
    reply.call('run_command', { command: `echo ${to} >> seen.txt` }),
  ]);
  const asked = request.messages.filter(({ role }) => role === 'assistant').length;
  jump(JUMPS[asked % JUMPS.length] ?? '+0');
  return sequence([...work, write, claim])(request);
};
/** As many commands in one turn as take longer than the deadline of the goal that is late. */
const SLOW = 12;
const slowly = Array.from({ length: SLOW }, (_, index) =>
  reply.call('run_command', { command: `sleep 3; echo ${index} >> seen.txt` }),
);
/** The clock leaves after the first answer, in the middle of the turn. */
const leaving =
  (to: string, script: Script): Script =>
  (request) => {
    if (request.messages.some(({ role }) => role === 'assistant')) jump(to);
    return script(request);
  };
const HOUR_MS = 3_600_000;
const scripts: Record<string, Script> = {
  steady: sequence([...slowly.slice(0, 6), write, claim]),
  jumps: jumpy,
  early: leaving('+2d', sequence([...slowly.slice(0, 2), write, claim])),
  late: leaving('-2d', sequence([...slowly, write, claim])),
  waits: sequence([reply.call('wait_for', { event: 'never', timeoutSeconds: 10 }), write, claim]),
};

beforeAll(async () => {
  clock = join(await mkdtemp(join(tmpdir(), 'goalkeeper-clock-')), 'clock');
  jump('+0');
  world = await openGoalWorld({
    script: (request) => (scripts[objectiveOf(request)] ?? jumpy)(request),
    worker: false,
    environment: { GOALKEEPER_LEDGER_KEY: 'key-of-the-jumping-clock-0000' },
  });
  worker = await superviseWorker(world, null, jumping());
});
afterAll(async () => {
  await worker?.stop();
  await world?.close();
});

const jumping = () => ({
  LD_PRELOAD: FAKETIME_LIBRARY,
  FAKETIME_TIMESTAMP_FILE: clock,
  FAKETIME_CACHE_DURATION: '1',
  DONT_FAKE_MONOTONIC: '1',
});

/** @param seconds until its deadline, by the clock of this machine */
const start = async (objective: string, seconds?: number) => {
  const path = await world.workspace({});
  const deadline =
    seconds === undefined ? {} : { deadline: new Date(Date.now() + seconds * 1000).toISOString() };
  const { goalId } = await world.start({
    objective,
    workspace: { path },
    criteria: [{ kind: 'command', command: 'grep -q 42 answer.txt' }],
    budget: { activeSeconds: 3600, ...deadline },
  });
  return { goalId, path };
};

test('CLK-1 a worker whose clock jumps by days at each step ends its goal proven, and charges the time that passed', async () => {
  const { goalId } = await start('jumps');
  const done = await world.until(goalId, ({ status }) => status !== 'active', 300_000);
  expect(done).toMatchObject({ status: 'complete', completion: { verification: 'verified' } });
  expect(done.usage.activeSeconds).toBeGreaterThan(0);
  expect(done.usage.activeSeconds).toBeLessThan(300);
  const ledger = await world.client.get(`/v1/goals/${goalId}/ledger/verify`);
  expect(ledger).toMatchObject({ holds: true });
});

for (const to of ['+2d', '-2d']) {
  test(`CLK-2 a wait that begins at a clock of ${to} ends, and the goal goes on`, async () => {
    jump(to);
    const { goalId } = await start('waits');
    const done = await world.until(goalId, ({ status }) => status !== 'active', 300_000);
    expect(done).toMatchObject({ status: 'complete', completion: { verification: 'verified' } });
    jump('+0');
  });
}

test('CLK-3 a deadline inside of a turn is kept by the clock of the database: not two days early, and not two days late', async () => {
  const early = await start('early', 3600);
  const done = await world.until(early.goalId, ({ status }) => status !== 'active', 300_000);
  expect(done).toMatchObject({ status: 'complete', completion: { verification: 'verified' } });
  jump('+0');
  const late = await start('late', 20);
  const over = await world.until(late.goalId, ({ status }) => status !== 'active', 300_000);
  expect(over.status).toBe('budget_limited');
  const ran = readFileSync(join(late.path, 'seen.txt'), 'utf8').trim().split('\n');
  expect(ran.length).toBeGreaterThan(0);
  expect(ran.length).toBeLessThan(SLOW);
  jump('+0');
});

test('CLK-5 the clock of the API jumps forward and back while a goal works: it ends proven, and a token that ended by it is told', async () => {
  const { token } = await world.client.send<{ readonly token: string }>('POST', '/v1/tokens', {
    ...{ name: 'clocked', role: 'viewer', expiresInDays: 1 },
  });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  /** Until its process has the new time. */
  const jumpTo = async (to: string, hours: number) => {
    jump(to);
    await waitUntil(async () => {
      const date = Date.parse((await fetch(`${url}/healthz`)).headers.get('date') ?? '');
      return Math.abs(date - Date.now() - hours * HOUR_MS) < HOUR_MS / 2;
    });
  };
  const api = forkOwn('api', world, { ...jumping(), GOALKEEPER_PORT: String(port) });
  await once(api, 'message');
  try {
    const own = createClient({ url, token });
    await jumpTo('+0', 0);
    const { goalId } = await start('steady');
    const look = () => own.get<{ goalId: string }>(`/v1/goals/${goalId}`);
    expect(await look()).toMatchObject({ goalId });
    await jumpTo('+1h', 1);
    expect(await look()).toMatchObject({ goalId });
    await jumpTo('-1h', -1);
    expect(await look()).toMatchObject({ goalId });
    await jumpTo('+25h', 25);
    await expect(look()).rejects.toMatchObject({
      problem: { code: 'unauthorized', detail: expect.stringContaining('has ended') },
    });
    await jumpTo('+0', 0);
    expect(await look()).toMatchObject({ goalId });
    const done = await world.until(goalId, ({ status }) => status !== 'active', 300_000);
    expect(done).toMatchObject({ status: 'complete', completion: { verification: 'verified' } });
    expect(await world.client.get(`/v1/goals/${goalId}/ledger/verify`)).toMatchObject({
      holds: true,
    });
  } finally {
    api.kill('SIGTERM');
  }
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
