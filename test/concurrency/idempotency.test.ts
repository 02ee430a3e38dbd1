import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { objectiveOf, reply, type Script } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import { loadConfig } from '../../src/app/config.ts';
import { type RunningApi, startApi } from '../../src/app/run-api.ts';
import type { RunningWorker } from '../../src/app/run-worker.ts';
import type { Called } from '../api/calls.ts';
import { worldCaller } from '../api/world-calls.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { restartWith, temporalClient, waitUntil } from '../workflows/helpers.ts';

const script: Script = (request) => {
  if (objectiveOf(request).startsWith('hangs')) return { text: 'Let me think', hang: 'after_text' };
  if (objectiveOf(request).startsWith('claims'))
    return reply.call('attempt_completion', { result: 'I believe that it is done.' });
  return reply.call('ask_user', { question: `Which colour? ${request.messages.length}` });
};

interface Once {
  readonly line: string;
  readonly body: object;
  readonly key: string;
  readonly answer: Called;
}

let world: GoalWorld;
let temporal: Client;
let worker: RunningWorker;
const apis: RunningApi[] = [];
const sent: Once[] = [];

beforeAll(async () => {
  world = await openGoalWorld({ script, worker: false });
  temporal = temporalClient(world);
});
afterAll(async () => {
  for (const api of apis) await api.close();
  await temporal.connection.close();
  await world.close();
});

async function once(line: string, body: object): Promise<Called['body']> {
  const key = `once-${sent.length}`;
  const answer = await worldCaller(world)(line, { body, key });
  expect([line, answer.status < 300, answer.body]).toEqual([line, true, answer.body]);
  sent.push({ line, body, key, answer });
  return answer.body;
}

const isPaused = ({ status }: Goal) => status === 'paused';
const bodyOf = async (name: string, more: object = {}) => ({
  objective: `${name}: go`,
  criteria: [],
  workspace: { path: await world.workspace({}) },
  ...more,
});

/** Through every request that changes a goal, over several runs of its execution. */
async function useEveryKey(): Promise<string> {
  const { goalId } = await once('POST /v1/goals', await bodyOf('asks'));
  await restartWith(world, temporal, goalId, 20);
  worker = await world.startWorker();
  const asked = await world.until(goalId, isPaused);
  const goal = `/v1/goals/${goalId}`;
  await once(`POST ${goal}/answers`, { questionId: asked.pause?.questionId, text: 'Red.' });
  await world.until(goalId, isPaused);
  await once(`POST ${goal}/messages`, { text: 'Are you there?' });
  await world.until(goalId, isPaused);
  await once(`POST ${goal}/resume`, {});
  await world.until(goalId, isPaused);
  for (let turns = 50; turns < 60; turns += 1) await once(`PATCH ${goal}`, { budget: { turns } });
  await once(`POST ${goal}/complete`, { result: 'Good enough.' });
  await once(`POST ${goal}/clear`, {});
  await pauseAndDecide();
  return goalId;
}

async function pauseAndDecide(): Promise<void> {
  const running = await once('PUT /v1/threads/t-hangs/goal', await bodyOf('hangs'));
  await waitUntil(() => world.model.requests.some((one) => objectiveOf(one).startsWith('hangs')));
  await once(`POST /v1/goals/${running.goalId}/pause`, {});
  await once('DELETE /v1/threads/t-hangs/goal', { expectedGoalId: running.goalId });
  // Another goal in the place of the one that was cleared.
  await once('PUT /v1/threads/t-hangs/goal', await bodyOf('asks', { expectedGoalId: null }));
  const criteria = [{ kind: 'command', command: 'true' }];
  const claiming = await once('POST /v1/goals', await bodyOf('claims', { criteria }));
  const { pause } = await world.until(claiming.goalId, isPaused);
  const line = `POST /v1/goals/${claiming.goalId}/approvals/${pause?.approvalId}`;
  await once(line, { decision: 'approve' });
}

/** Another API and another worker, with the same record. */
async function restart(): Promise<ReturnType<typeof worldCaller>> {
  worker.stop();
  await worker.done;
  worker = await world.startWorker();
  const config = loadConfig(world.environment);
  const databaseUrl = world.environment.DATABASE_URL ?? '';
  const api = await startApi({ config, databaseUrl, temporal: world.temporal });
  apis.push(api);
  return worldCaller(api);
}

const revisions = () => world.database`
  SELECT goal_id, revision, status, archived_at FROM goal ORDER BY goal_id`;

test('M1 M24 a key answers every mutation once, after restarts and continue-as-new, and takes no other body', async () => {
  const goalId = await useEveryKey();
  const runs = await waitUntil(async () => {
    const ids: string[] = [];
    const query = `WorkflowId = 'goal:${goalId}:2'`;
    for await (const { runId } of temporal.workflow.list({ query })) ids.push(runId);
    return ids.length > 2 ? ids : null;
  });
  expect(runs.length).toBeGreaterThan(2);
  await world.until(sent.at(-3)?.answer.body.goalId, isPaused);
  const call = await restart();
  const before = await revisions();
  for (const { line, body, key, answer } of sent) {
    const again = await call(line, { body, key });
    expect([line, again.status, again.body]).toEqual([line, answer.status, answer.body]);
    expect(again.headers['idempotency-replayed']).toBe('true');
  }
  for (const { line, body, key } of sent) {
    const { body: problem } = await call(line, { body: { ...body, expectedRevision: 77 }, key });
    expect([line, problem.status, problem.code]).toEqual([line, 422, 'idempotency_mismatch']);
  }
  expect(await revisions()).toEqual(before);
  const methods = sent.map(({ line }) => line.replace(/[gt]-[^/]+|[^/]+$/g, (id) => id));
  expect(new Set(methods.map((line) => line.split('/').at(-1))).size).toBeGreaterThanOrEqual(9);
});

test.each(['', 'with space', 'ü', 'x'.repeat(201)])(
  'the key %j is refused by name, and nothing is done',
  async (key) => {
    const answer = await worldCaller(world)('POST /v1/goals', {
      body: await bodyOf('asks'),
      headers: { 'idempotency-key': Buffer.from(key).toString('latin1') },
    });
    expect(answer.body).toMatchObject({ status: 400, field: 'Idempotency-Key' });
  },
);
