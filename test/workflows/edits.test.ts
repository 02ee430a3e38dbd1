import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { goalIdOf, objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { barrier, holdModelCalls, problemOf, temporalClient } from './helpers.ts';

const ask = reply.call('ask_user', { question: 'Which colour?' });
const scripts: Record<string, Script> = {
  hello: sequence([reply.text('Hello')]),
  asks: sequence([ask]),
  hangs: sequence([{ text: 'Let me think', hang: 'after_text' }]),
};

const { held, wrapPorts } = holdModelCalls();

let goals: ScriptedGoals;
let temporal: Client;
beforeAll(async () => {
  goals = await openScriptedGoals(scripts, { wrapPorts });
  temporal = temporalClient(goals.world);
});
afterAll(async () => {
  await temporal.connection.close();
  await goals.world.close();
});
beforeEach(() => {
  Object.assign(held, { at: 0, calls: 0, gate: barrier() });
});

const kindsOf = async (goalId: string) => (await goals.turns(goalId)).map(({ kind }) => kind);

describe('edits of a goal', () => {
  test('M11 a pause and a new budget at the same time both take effect', async () => {
    const goalId = await goals.start('hangs');
    await goals.asked(goalId);
    const { revision } = await goals.world.get(goalId);
    await Promise.all([
      goals.send(goalId, 'pause'),
      goals.amend(goalId, { budget: { turns: 77 } }),
      goals.amend(goalId, { budget: { activeSeconds: 777 } }),
    ]);
    await goals.settled(goalId);
    expect(await goals.world.get(goalId)).toMatchObject({
      status: 'paused',
      budget: { turns: 77, activeSeconds: 777 },
      // The three of them, and the turn that the pause ended.
      revision: revision + 4,
    });
  });

  test('M13 a new objective keeps id, usage and time of creation, and reaches the model', async () => {
    const before = await goals.run('asks');
    const amended = await goals.amend(before.goalId, { objective: 'asks: something else' });
    expect(amended).toEqual({
      ...before,
      objective: 'asks: something else',
      revision: before.revision + 1,
      updatedAt: amended.updatedAt,
    });
    const answer = { questionId: before.pause?.questionId, text: 'Red.' };
    await goals.send(before.goalId, 'answers', answer);
    await goals.rest(before.goalId);
    const heard = goals.world.model.requests.findLast((one) => goalIdOf(one) === before.goalId);
    expect(heard && objectiveOf(heard)).toBe('asks: something else');
  });

  test('M18 a cost limit on a model without prices is refused at start and afterwards', async () => {
    const budget = { costUsd: '1.00' };
    const started = problemOf(goals.start('asks', { budget }));
    expect(await started).toMatchObject({ status: 400, field: expect.stringContaining('costUsd') });
    const { goalId, revision } = await goals.run('asks');
    expect(await problemOf(goals.amend(goalId, { budget }))).toMatchObject({ status: 400 });
    expect((await goals.world.get(goalId)).revision).toBe(revision);
  });
});

describe('a limit', () => {
  test('M9 that is raised by too little stays, and by enough lets the goal go on', async () => {
    const { goalId } = await goals.run('hello', { budget: { turns: 1 } });
    const still = await goals.amend(goalId, { budget: { turns: 2 } });
    expect(still.status).toBe('budget_limited');
    expect(await problemOf(goals.send(goalId, 'resume'))).toMatchObject({
      code: 'invalid_transition',
    });
    const raised = await goals.amend(goalId, { budget: { turns: 50 } });
    expect(raised.status).toBe('active');
    await goals.rest(goalId);
  });

  test('M8 M9 that is lowered below its use while the goal is paused holds when it is resumed', async () => {
    const { goalId } = await goals.run('asks');
    const lowered = await goals.amend(goalId, { budget: { turns: 1 } });
    expect(lowered.status).toBe('paused');
    const resumed = await goals.send(goalId, 'resume');
    expect(resumed.status).toBe('budget_limited');
    const goal = await goals.rest(goalId);
    expect(goal.activity.reason).toBe('turns: used 1 of 1');
    expect(await kindsOf(goalId)).toEqual(['start', 'wrap_up']);
  });

  test('M15 that is raised and reached again gets one more wrap-up', async () => {
    const { goalId } = await goals.run('hello', { budget: { turns: 1 } });
    await goals.amend(goalId, { budget: { turns: 3 } });
    const goal = await goals.rest(goalId);
    expect(goal.status).toBe('budget_limited');
    expect(await kindsOf(goalId)).toEqual(['start', 'wrap_up', 'resume', 'wrap_up']);
  });

  test('M15 has one wrap-up, also when its attempt dies between sending and recording', async () => {
    held.at = 2;
    const goalId = await goals.start('hello', { budget: { turns: 1 } });
    await held.gate.reached;
    const { raw } = await temporal.workflow.getHandle(`goal:${goalId}:1`).describe();
    const activityId = raw.pendingActivities?.[0]?.activityId ?? '';
    await temporal.activity.fail(
      { workflowId: `goal:${goalId}:1`, activityId },
      new Error('the worker died'),
    );
    const goal = await goals.rest(goalId);
    held.gate.open();
    expect(goal.status).toBe('budget_limited');
    expect(await kindsOf(goalId)).toEqual(['start', 'wrap_up']);
    const attempts = await goals.world.database<{ is_estimated: boolean }[]>`
      SELECT is_estimated FROM step WHERE goal_id = ${goalId} AND turn = 2 ORDER BY attempt`;
    expect(attempts.map(({ is_estimated }) => is_estimated)).toEqual([true, false]);
  });
});
