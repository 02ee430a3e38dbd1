import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { goalIdOf, objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { ModelPort } from '../../src/contract/model.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { barrier, problemOf, temporalClient, turnsOf, waitUntil } from './helpers.ts';

const claim = reply.call('attempt_completion', { result: 'It is written.' });
const write = reply.call('write_file', { path: 'answer.txt', content: '42\n' });
const answerExists = { kind: 'file', path: 'answer.txt', exists: true } as const;

const scripts: Record<string, Script> = {
  hello: sequence([reply.text('Hello')]),
  write: sequence([write, claim]),
  hangs: sequence([{ text: 'Let me think', hang: 'after_text' }]),
  'hangs-once': (request) =>
    request.messages.some(({ text }) => text.includes('A limit is reached'))
      ? sequence([write, write, write, claim])(request)
      : { text: 'Let me think', hang: 'after_text' },
  greps: (request) => reply.call('grep_search', { pattern: `x${request.messages.length}` }),
};

const script: Script = (request) =>
  (scripts[objectiveOf(request).split(':')[0] ?? ''] ?? sequence([reply.text('?')]))(request);

/** What the running test puts between the slice and its ports. */
const between: {
  leaseWorkspace: (() => Promise<void>) | null;
  callModel: (() => Promise<void>) | null;
  unread: (() => Promise<void>) | null;
} = { leaseWorkspace: null, callModel: null, unread: null };

const wrapPorts = (ports: TurnPorts): TurnPorts => {
  const { journal } = ports;
  const model = Object.create(ports.model) as ModelPort;
  return {
    ...ports,
    journal: {
      ...journal,
      async leaseWorkspace(fence, workspace) {
        await between.leaseWorkspace?.();
        return journal.leaseWorkspace(fence, workspace);
      },
      async unread(goalId) {
        const unread = await journal.unread(goalId);
        await between.unread?.();
        return unread;
      },
    },
    model: Object.assign(model, {
      call: async (request: Parameters<ModelPort['call']>[0]) => {
        await between.callModel?.();
        return ports.model.call(request);
      },
    }),
  };
};

let world: GoalWorld;
let temporal: Client;
beforeAll(async () => {
  world = await openGoalWorld({ script, worker: false });
  await world.startWorker(wrapPorts);
  temporal = temporalClient(world);
});
afterAll(async () => {
  await temporal.connection.close();
  await world.close();
});
beforeEach(() => {
  Object.assign(between, { leaseWorkspace: null, callModel: null, unread: null });
});

const open = async (name: string, goal: object = {}) => {
  const path = await world.workspace({});
  const { goalId } = await world.start({ objective: `${name}: go`, workspace: { path }, ...goal });
  return goalId;
};
const send = (goalId: string, what: string, body: object = {}) =>
  world.client.send<Goal>('POST', `/v1/goals/${goalId}/${what}`, body);
const executionOf = async (goalId: string) =>
  (await temporal.workflow.getHandle(`goal:${goalId}:1`).describe()).status.name;

describe('mutations while a slice or a gate runs', () => {
  test('R43 a baseline that a pause cut off is taken again: what holds from the start stays a guard', {
    tags: 'campaign',
  }, async () => {
    const command = 'touch started && sleep 1';
    const path = await world.workspace({});
    const criteria = [{ kind: 'command', command } as const];
    const { goalId } = await world.start({ objective: 'hello: go', workspace: { path }, criteria });
    await waitUntil(() => existsSync(join(path, 'started')));
    await send(goalId, 'pause');
    await waitUntil(async () => (await turnsOf(world, goalId))[0]?.decision);
    await send(goalId, 'resume');
    const goal = await world.until(goalId, ({ status }) => status !== 'active');
    expect(goal.criteria[0]?.baseline).toBe('met');
    expect(goal.status).toBe('paused');
  });

  test('a pause that comes before the slice has its lease settles the turn and the execution lives on', async () => {
    const gate = barrier();
    between.leaseWorkspace = gate.pass;
    const goalId = await open('write', { criteria: [answerExists] });
    await gate.reached;
    await send(goalId, 'pause');
    between.leaseWorkspace = null;
    gate.open();
    await waitUntil(async () => (await turnsOf(world, goalId))[0]?.decision);
    expect(await executionOf(goalId)).toBe('RUNNING');
    await send(goalId, 'resume');
    const goal = await world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.completion?.verification).toBe('verified');
  });

  test('a pause whose slice died with its worker settles the turn and the execution lives on', async () => {
    const gate = barrier();
    between.callModel = gate.pass;
    const goalId = await open('write', { criteria: [answerExists] });
    await gate.reached;
    await send(goalId, 'pause');
    const { raw } = await temporal.workflow.getHandle(`goal:${goalId}:1`).describe();
    const activityId = raw.pendingActivities?.[0]?.activityId ?? '';
    await temporal.activity.fail(
      { workflowId: `goal:${goalId}:1`, activityId },
      new Error('the worker died'),
    );
    await waitUntil(async () => (await turnsOf(world, goalId))[0]?.decision);
    const { events } = await temporal.workflow.getHandle(`goal:${goalId}:1`).fetchHistory();
    const died = events?.findIndex((event) => event.activityTaskFailedEventAttributes) ?? -1;
    const settles = events?.findIndex(
      ({ activityTaskScheduledEventAttributes: scheduled }) =>
        scheduled?.activityType?.name === 'recordTurn',
    );
    expect(died).toBeGreaterThan(0);
    // Settling gives the workspace back: not before the slice is gone.
    expect(settles).toBeGreaterThan(died);
    expect(await executionOf(goalId)).toBe('RUNNING');
    between.callModel = null;
    gate.open();
    await send(goalId, 'resume');
    await world.until(goalId, ({ status }) => status === 'complete');
  });

  test('a goal that a person completes during a turn settles that turn and frees the workspace', async () => {
    const goalId = await open('hangs');
    await world.until(goalId, ({ usage }) => usage.turns === 1);
    await send(goalId, 'complete', { result: 'Good enough.' });
    const [turn] = await waitUntil(async () => {
      const turns = await turnsOf(world, goalId);
      return turns[0]?.decision ? turns : null;
    });
    expect(turn?.decision).toMatchObject({ rule: 1, action: 'hold' });
    const goal = await world.get(goalId);
    expect(goal.completion).toMatchObject({ source: 'person', result: 'Good enough.' });
    const leases = await world.database`SELECT 1 FROM workspace WHERE lease_goal_id = ${goalId}`;
    expect(leases.count).toBe(0);
  });

  test('M20 a message that arrives after the slice looked for one is still answered before the goal pauses', async () => {
    const gate = barrier();
    const goalId = await open('hello', { policy: { continuation: { toolFreeTurns: 1 } } });
    await world.until(goalId, ({ status }) => status === 'paused');
    between.unread = gate.pass;
    await send(goalId, 'messages', { text: 'Are you there?' });
    await gate.reached;
    await send(goalId, 'messages', { text: 'And are you well?' });
    between.unread = null;
    gate.open();
    const goal = await world.until(goalId, ({ status }) => status === 'paused');
    expect(goal.pause?.reason).toBe('message');
    const kinds = (await turnsOf(world, goalId)).map(({ kind }) => kind);
    expect(kinds).toEqual(['start', 'message', 'message']);
  });

  test('M8 a budget lowered below its use limits a running goal at once; raised again, it goes on', async () => {
    const goalId = await open('hangs-once', { criteria: [answerExists] });
    await waitUntil(() => world.model.requests.some((asked) => goalIdOf(asked) === goalId));
    const limited = await world.client.send<Goal>('PATCH', `/v1/goals/${goalId}`, {
      budget: { turns: 1 },
    });
    expect(limited.status).toBe('budget_limited');
    await world.until(goalId, ({ activity }) => activity.state === 'idle');
    const kinds = (await turnsOf(world, goalId)).map(({ kind }) => kind);
    expect(kinds).toEqual(['start', 'wrap_up']);
    await world.client.send('PATCH', `/v1/goals/${goalId}`, { budget: { turns: 50 } });
    await world.until(goalId, ({ status }) => status === 'complete');
  });

  test('a budget raised while a slice still reckons with the old one leaves the goal active', async () => {
    const gate = barrier();
    const goalId = await open('greps', { budget: { tokens: 20_000 } });
    between.unread = gate.pass;
    await gate.reached;
    between.unread = null;
    await world.client.send('PATCH', `/v1/goals/${goalId}`, { budget: { tokens: 5_000_000 } });
    gate.open();
    const [first] = await waitUntil(async () => {
      const turns = await turnsOf(world, goalId);
      return turns[0]?.decision ? turns : null;
    });
    expect(first?.decision?.action).toBe('continue');
    expect((await world.get(goalId)).status).toBe('active');
    await send(goalId, 'clear');
  });

  test('M15 a wrap-up is one model call, whatever the model asks for in it', async () => {
    const goalId = await open('greps', { budget: { tokens: 12_000 } });
    await world.until(
      goalId,
      ({ status, activity }) => status === 'budget_limited' && activity.state === 'idle',
    );
    const steps = await world.database`
      SELECT s.step FROM step s JOIN turn t USING (goal_id, turn)
      WHERE goal_id = ${goalId} AND t.kind = 'wrap_up'`;
    expect(steps.count).toBe(1);
  });

  test('M1 of two writers that expect the same revision one succeeds and the other learns the actual one', async () => {
    const goalId = await open('hangs');
    await world.until(goalId, ({ usage }) => usage.turns === 1);
    const { revision } = await world.get(goalId);
    const results = await Promise.allSettled([
      world.client.send('PATCH', `/v1/goals/${goalId}`, {
        objective: 'hangs: left',
        expectedRevision: revision,
      }),
      world.client.send('PATCH', `/v1/goals/${goalId}`, {
        objective: 'hangs: right',
        expectedRevision: revision,
      }),
    ]);
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(1);
    const [{ reason }] = refused as [PromiseRejectedResult];
    expect(reason.problem).toMatchObject({
      code: 'goal_conflict',
      actualGoalId: goalId,
      actualRevision: revision + 1,
    });
    await send(goalId, 'clear');
  });

  test('M9 M10 a limited goal can be neither paused nor resumed', async () => {
    const goalId = await open('hello', { budget: { turns: 1 } });
    await world.until(
      goalId,
      ({ status, activity }) => status === 'budget_limited' && activity.state === 'idle',
    );
    expect(await problemOf(send(goalId, 'pause'))).toMatchObject({ code: 'invalid_transition' });
    expect(await problemOf(send(goalId, 'resume'))).toMatchObject({ code: 'invalid_transition' });
    expect((await world.get(goalId)).status).toBe('budget_limited');
  });
});
