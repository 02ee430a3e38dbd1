import type { Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, type Script, sequence } from '../../demo/script.ts';
import type { TaskQueues } from '../../src/contract/task-queues.ts';
import { openDatabase } from '../../src/store/client.ts';
import { endingInOwnRecord } from '../../src/temporal/activity-guard.ts';
import type { ReconcilerPorts } from '../../src/temporal/reconciler.ts';
import { startGoalWorker } from '../../src/temporal/worker.ts';
import { workflowBundle } from '../../src/temporal/workflow-bundle.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { freshNamespace } from '../support/namespaces.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { temporalClient, waitUntil } from '../workflows/helpers.ts';

const ask = reply.call('ask_user', { question: 'Shall I go on?' });
const wait = reply.call('wait_for', { event: 'never', timeoutSeconds: 8 });
const scripts: Record<string, Script> = {
  works: sequence([write, claim]),
  asks: sequence([ask, write, claim]),
  waits: sequence([wait, write, claim]),
};
/** The worst case: what one of them is told, the other one's workers can open. */
const environment = { GOALKEEPER_TEMPORAL_KEYS: 'the-same-secret-for-both-of-them' };

let first: ScriptedGoals;
let second: ScriptedGoals;
let client: Client;
beforeAll(async () => {
  const temporal = { namespace: await freshNamespace() };
  first = await openScriptedGoals(scripts, { worker: false, environment, temporal });
  second = await openScriptedGoals(scripts, { worker: false, environment, temporal });
  client = temporalClient(first.world);
});
afterAll(async () => {
  await client?.connection.close();
  await first?.world.close();
  await second?.world.close();
});

const handleOf = (goalId: string, epoch = 1) =>
  client.workflow.getHandle(`goal:${goalId}:${epoch}`);

/** The workers that had a task of it. */
async function workersOf(goalId: string): Promise<string[]> {
  const { events } = await handleOf(goalId).fetchHistory();
  const named = (events ?? []).flatMap((event) => [
    event.workflowTaskStartedEventAttributes?.identity ?? [],
    event.activityTaskStartedEventAttributes?.identity ?? [],
  ]);
  return [...new Set(named.flat())];
}

const eventsOf = async ({ world }: ScriptedGoals, goalId: string): Promise<string[]> => {
  const rows = await world.database<{ type: string }[]>`
    SELECT type FROM event WHERE goal_id = ${goalId} ORDER BY seq`;
  return rows.map(({ type }) => type);
};

async function workerIdsOf({ world }: ScriptedGoals): Promise<string[]> {
  const rows = await world.database<{ id: string }[]>`SELECT worker_id AS id FROM worker`;
  return rows.map(({ id }) => id);
}

const answer = async (goals: ScriptedGoals, goalId: string) => {
  const { pause } = await goals.world.get(goalId);
  return goals.send(goalId, 'answers', { questionId: pause?.questionId, text: 'Yes.' });
};

async function stopWorkers({ world }: ScriptedGoals): Promise<void> {
  const workers = [...world.workers];
  for (const worker of workers) worker.stop();
  await Promise.all(workers.map(({ done }) => done));
}

test('INS-1: two installations share a namespace and a key, and no worker gets a task of the other one', async () => {
  await first.world.startWorker();
  await second.world.startWorker();
  const started = await Promise.all(
    [first, second, first, second, first, second].map(async (goals, index) => ({
      goals,
      goalId: await goals.start(index < 2 ? 'asks' : 'works'),
    })),
  );
  for (const { goals, goalId } of started.slice(0, 2)) {
    await goals.world.until(goalId, ({ status }) => status === 'paused');
    await answer(goals, goalId);
  }
  for (const { goals, goalId } of started) {
    const done = await goals.world.until(goalId, ({ status }) => status !== 'active');
    expect(done.status).toBe('complete');
    const own = await workerIdsOf(goals);
    expect(own).toHaveLength(1);
    expect(await workersOf(goalId)).toEqual(own);
    const events = await eventsOf(goals, goalId);
    expect(events).not.toContain('execution.lost');
    expect(events).not.toContain('execution.renewed');
    expect(events).not.toContain('security.refused');
    expect((await handleOf(goalId).describe()).taskQueue).toBe(goals.world.queues.goals);
  }
  const { items } = await first.world.client.get<{ items: { name: string; pollers: number }[] }>(
    '/v1/queues',
  );
  const { goals, installation } = first.world.queues;
  expect(items.map(({ name }) => name)).toContain(goals);
  for (const { name } of items) expect(name).toContain(installation);
  await stopWorkers(second);
});

test("INS-2: a task of another installation's goal ends nothing: it is refused and told, and the goal goes on at home", async () => {
  await stopWorkers(first);
  const goalId = await first.start('works');
  await handleOf(goalId).terminate();
  await client.workflow.start('goalWorkflow', {
    workflowId: `goal:${goalId}:1`,
    taskQueue: second.world.queues.goals,
    args: [carryOf(goalId, first.world.queues.installation)],
  });
  await second.world.startWorker();
  await waitUntil(async () => {
    const told = await second.world.database`
      SELECT 1 FROM security_log WHERE what = 'temporal_refused' AND subject = ${goalId}
        AND data->>'why' = 'elsewhere'`;
    return told.length > 0;
  });
  expect((await handleOf(goalId).describe()).status.name).toBe('RUNNING');
  expect((await first.world.get(goalId)).status).toBe('active');
  await first.world.startWorker();
  const done = await first.world.until(goalId, ({ status }) => status !== 'active');
  expect(done.status).toBe('complete');
  expect(await eventsOf(first, goalId)).not.toContain('execution.lost');
  await stopWorkers(second);
});

/** The names of before: one set for all installations of a namespace. */
const FORMER: TaskQueues = {
  installation: '',
  goals: 'goalkeeper',
  workspacesOf: (host) => `goalkeeper:host:${host}`,
};

const carryOf = (goalId: string, installation?: string) => ({
  ...{ goalId, epoch: 1, previousRunId: null, providerRetries: 0, maxEvents: 4000 },
  ...(installation === undefined ? {} : { installation }),
});

test('INS-3: goals that began on the queue that all shared go on after the upgrade: resting, waiting, and not yet begun', async () => {
  await stopWorkers(first);
  const begun = async (name: string) => {
    const goalId = await first.start(name);
    await handleOf(goalId).terminate();
    await client.workflow.start('goalWorkflow', {
      workflowId: `goal:${goalId}:1`,
      taskQueue: FORMER.goals,
      args: [carryOf(goalId)],
    });
    return goalId;
  };
  const [resting, waiting] = [await begun('asks'), await begun('waits')];
  const former = await startFormerWorker(first);
  await first.world.until(resting, ({ status }) => status === 'paused');
  await first.world.until(waiting, ({ activity }) => activity.state === 'waiting');
  for (const goalId of [resting, waiting]) {
    const { taskQueue, status } = await handleOf(goalId).describe();
    expect([taskQueue, status.name]).toEqual([FORMER.goals, 'RUNNING']);
  }
  await former.stop();
  const accepted = await begun('works');
  await first.world.startWorker();
  for (const goalId of [waiting, accepted]) {
    const done = await first.world.until(goalId, ({ status }) => status !== 'active');
    expect(done).toMatchObject({ status: 'complete', completion: { verification: 'verified' } });
  }
  await waitUntil(async () => (await eventsOf(first, resting)).includes('execution.renewed'));
  expect((await first.world.get(resting)).status).toBe('paused');
  await answer(first, resting);
  await first.world.until(resting, ({ status }) => status === 'complete');
  for (const goalId of [resting, waiting, accepted])
    expect(await eventsOf(first, goalId)).not.toContain('execution.lost');
  for (const goalId of [resting, waiting]) {
    await waitUntil(async () => (await handleOf(goalId).describe()).status.name === 'TERMINATED');
    expect((await handleOf(goalId, 2).describe()).taskQueue).toBe(first.world.queues.goals);
  }
});

/** As the version before ran it, with nobody who looks for goals on queues of others. */
async function startFormerWorker({ world }: ScriptedGoals) {
  let ports: TurnPorts | undefined;
  const keepPorts = (given: TurnPorts) => {
    ports = given;
    return given;
  };
  const onFormerQueue = (given: ReconcilerPorts) => ({ ...given, queues: FORMER });
  await world.startWorker(keepPorts, onFormerQueue);
  if (ports === undefined) throw new Error('no ports');
  const worker = await startGoalWorker({
    ...{ temporal: world.temporal, queues: FORMER, keys: world.keys, ports, drainSeconds: 1 },
    log: { info: () => {}, warn: () => {} },
    isOwnRecord: async () => true,
    onRefused: () => {},
    bundle: await workflowBundle(),
  });
  return {
    async stop() {
      worker.stop();
      await worker.done;
      await stopWorkers({ world } as ScriptedGoals);
    },
  };
}

test('INS-4: where another record came behind a worker, what it does not know ends nothing', async () => {
  const end = ApplicationFailure.create({ message: 'no such goal', nonRetryable: true });
  const failing = (isOwn: boolean, error: Error) =>
    endingInOwnRecord(async () => isOwn)().inbound?.execute?.({ args: [], headers: {} }, () =>
      Promise.reject(error),
    );
  await expect(failing(true, end)).rejects.toBe(end);
  await expect(failing(false, end)).rejects.toMatchObject({ name: 'OtherInstallation' });
  const again = new Error('Postgres is away');
  await expect(failing(false, again)).rejects.toBe(again);
});

test('INS-5: the service can read its name, and not change it', async () => {
  const { environment: own } = first.world;
  const sql = openDatabase(own.DATABASE_URL ?? '', { connections: 1 });
  try {
    const rows = await sql`SELECT installation_id AS id FROM installation`;
    expect(rows).toEqual([{ id: first.world.queues.installation }]);
    await expect(sql`UPDATE installation SET installation_id = 'x'`).rejects.toThrow('permission');
    await expect(sql`DELETE FROM installation`).rejects.toThrow('permission');
    await expect(sql`INSERT INTO installation VALUES ('x')`).rejects.toThrow('duplicate');
  } finally {
    await sql.end();
  }
});
