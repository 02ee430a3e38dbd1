import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import { sealedConverter } from '../../src/temporal/data-converter.ts';
import { workflowBundle } from '../../src/temporal/workflow-bundle.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { restartWith, temporalClient, turnsOf } from './helpers.ts';

const claim = reply.call('attempt_completion', { result: 'It is written.' });
const scripts: Record<string, Script> = {
  write: sequence([
    claim,
    reply.call('write_file', { path: 'answer.txt', content: '42\n' }),
    reply.call('ask_user', { question: 'Shall I go on?' }),
    claim,
  ]),
  hold: sequence([reply.call('run_command', { command: 'sleep 2; touch answer.txt' }), claim]),
  talk: sequence([reply.text('Let me see.'), reply.text('I see.'), reply.text('Seen.')]),
};
const script: Script = (request) =>
  (scripts[objectiveOf(request).split(':')[0] ?? ''] ?? sequence([reply.text('?')]))(request);

let world: GoalWorld;
let temporal: Client;
beforeAll(async () => {
  world = await openGoalWorld({ script, worker: false });
  temporal = temporalClient(world);
});
afterAll(async () => {
  await temporal.connection.close();
  await world.close();
});

const open = async (name: string) => {
  const path = await world.workspace({});
  const criteria = [{ kind: 'file' as const, path: 'answer.txt', exists: true }];
  return world.start({ objective: `${name}: go`, workspace: { path }, criteria });
};

const send = (goalId: string, what: string, body: object = {}) =>
  world.client.send('POST', `/v1/goals/${goalId}/${what}`, body);

describe('a goal whose runs are short', () => {
  test('continues as new between slices and in waits, losing no turn, no update and no answer', async () => {
    const { goalId } = await open('write');
    await restartWith(world, temporal, goalId, 20);
    await world.startWorker();
    const asked = await world.until(goalId, ({ status }) => status === 'paused');
    const workflowId = `goal:${goalId}:2`;
    for (let round = 0; round < 12; round += 1) {
      await world.client.send('PATCH', `/v1/goals/${goalId}`, { budget: { turns: 50 + round } });
    }
    await send(goalId, 'answers', { questionId: asked.pause?.questionId, text: 'Go on.' });
    const goal = await world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.completion?.verification).toBe('verified');
    expect(goal.budget.turns).toBe(61);
    const turns = await turnsOf(world, goalId);
    expect(turns.map(({ turn }) => turn)).toEqual(turns.map((_, index) => index + 1));
    const runs = new Set<string>();
    for await (const run of temporal.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
      runs.add(run.runId);
    }
    expect(runs.size).toBeGreaterThan(2);
  });
});

describe('two goals in one workspace', () => {
  test('take turns: the second shows that it waits, and goes on by itself', async () => {
    const path = await world.workspace({});
    const goal = {
      workspace: { path },
      criteria: [{ kind: 'file' as const, path: 'answer.txt', exists: true }],
    };
    const first = await world.start({ objective: 'hold: first', ...goal });
    await world.until(first.goalId, ({ usage }) => usage.turns === 1);
    const second = await world.start({ objective: 'hold: second', ...goal });
    const waiting = await world.until(
      second.goalId,
      ({ activity }) => activity.state === 'waiting',
    );
    expect(waiting.activity).toMatchObject({ on: 'workspace', actor: 'Team' });
    expect(waiting.status).toBe('active');
    const done = await world.until(first.goalId, ({ status }) => status === 'complete');
    expect(done.completion?.verification).toBe('verified');
    // What the first one made holds from the second one's start: a guard, so a person decides.
    const other = await world.until(second.goalId, ({ status }) => status === 'paused');
    expect(other.pause?.reason).toBe('unverified_claim');
    const leases = await world.database`SELECT 1 FROM workspace WHERE lease_goal_id IS NOT NULL`;
    expect(leases.count).toBe(0);
  });
});

describe('recorded histories', () => {
  test('replay with the present workflow code, whatever their goals went through', async () => {
    const written = await open('write');
    const asked = await world.until(written.goalId, ({ status }) => status === 'paused');
    await send(written.goalId, 'pause').catch(() => {});
    await send(written.goalId, 'answers', { questionId: asked.pause?.questionId, text: 'Yes.' });
    await world.until(written.goalId, ({ status }) => status === 'complete');
    const talked = await open('talk');
    await world.until(talked.goalId, ({ status }) => status === 'paused');
    await send(talked.goalId, 'messages', { text: 'What do you see?' });
    await world.until(talked.goalId, ({ pause }) => pause?.reason === 'message');
    await send(talked.goalId, 'clear');
    const histories = await Promise.all(
      [written, talked].map(async ({ goalId }) => ({
        workflowId: `goal:${goalId}:1`,
        history: await temporal.workflow.getHandle(`goal:${goalId}:1`).fetchHistory(),
      })),
    );
    const failures: unknown[] = [];
    let replayed = 0;
    const results = Worker.runReplayHistories(
      {
        workflowBundle: await workflowBundle(),
        dataConverter: sealedConverter(world.keys, { is: 'worker', tell: () => {} }),
      },
      histories,
    );
    for await (const { error } of results) {
      replayed += 1;
      if (error !== undefined) failures.push(error);
    }
    expect({ replayed, failures }).toEqual({ replayed: 2, failures: [] });
  });
});
