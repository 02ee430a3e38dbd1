import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goalIdOf, reply, sequence } from '../../demo/script.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { temporalClient, waitUntil } from './helpers.ts';
import { usageOf } from './provider-world.ts';

const PAUSED_MS = 2500;
const ask = reply.call('ask_user', { question: 'Which colour?' });

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals({
    asks: sequence([ask, reply.text('Red it is.')]),
    hangs: sequence([{ text: 'Let me think', hang: 'after_text' }]),
    talks: sequence([{ ...reply.text('A start.'), usage: { input: 3000, output: 500 } }]),
  });
});
afterAll(() => goals.world.close());

const requestsOf = (goalId: string) =>
  goals.world.model.requests.filter((request) => goalIdOf(request) === goalId);

describe('a limit', () => {
  test('M7 what is left of it is the most that the provider may write', async () => {
    const generous = await goals.start('hangs');
    await goals.asked(generous);
    const [free] = requestsOf(generous);
    const tokens = 12_000;
    const narrow = await goals.start('hangs', { budget: { tokens } });
    await goals.asked(narrow);
    const [capped] = requestsOf(narrow);
    expect(capped?.maxTokens).toBeLessThan(free?.maxTokens ?? 0);
    const [step] = await waitUntil(async () => {
      const rows = await goals.world.database<{ input: number; output: number }[]>`
        SELECT estimated_input AS input, reserved_output AS output FROM step
        WHERE goal_id = ${narrow}`;
      return rows.length > 0 ? rows : null;
    });
    expect(capped?.maxTokens).toBe(step?.output);
    // What is held back for the wrap-up is not in it.
    expect((step?.input ?? 0) + (step?.output ?? 0)).toBeLessThanOrEqual(tokens - 2000);
  });

  test('M15 that is taken away lets the goal go on, without another wrap-up of it', async () => {
    const limited = await goals.run('talks', { criteria: [], budget: { turns: 1 } });
    expect(limited).toMatchObject({
      status: 'budget_limited',
      activity: { reason: 'turns: used 1 of 1' },
    });
    const { status, budget } = await goals.amend(limited.goalId, { budget: { turns: null } });
    expect([status, budget.turns]).toEqual(['active', null]);
    const { pause } = await goals.rest(limited.goalId);
    expect(pause?.reason).toBe('no_progress');
    const kinds = (await goals.turns(limited.goalId)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'wrap_up')).toHaveLength(1);
  });
});

describe('active time', () => {
  test('excludes what passes while the goal is paused, and while it waits for a person', async () => {
    const asked = await goals.run('asks', { criteria: [] });
    const stopped = await goals.start('hangs');
    await goals.asked(stopped);
    await goals.send(stopped, 'pause');
    await goals.settled(stopped);
    const before = await Promise.all([asked.goalId, stopped].map(goals.world.get));
    const begun = performance.now();
    await delay(PAUSED_MS);
    const pausedMs = performance.now() - begun;
    await goals.send(stopped, 'resume');
    await waitUntil(() => requestsOf(stopped).length > 1);
    await goals.send(stopped, 'pause');
    const { questionId } = asked.pause ?? {};
    await goals.send(asked.goalId, 'answers', { questionId, text: 'Red.' });
    await goals.rest(asked.goalId);
    const after = await Promise.all(
      [asked.goalId, stopped].map(async (goalId) => (await usageOf(goals, goalId)).usage),
    );
    const goneMs = performance.now() - begun;
    after.forEach(({ activeSeconds }, index) => {
      const earlier = before[index]?.usage.activeSeconds ?? 0;
      expect(activeSeconds - earlier).toBeLessThan((goneMs - pausedMs) / 1000);
    });
  });
});

describe('a model call that nobody will end', () => {
  test('M15 is charged when the execution is lost in the wrap-up, and the goal stays limited', async () => {
    const wrapUp = await goals.start('hangs', { criteria: [], budget: { turns: 1 } });
    await goals.asked(wrapUp);
    await goals.amend(wrapUp, { budget: { deadline: new Date(Date.now() + 1).toISOString() } });
    await waitUntil(async () => (await goals.turns(wrapUp)).some(({ kind }) => kind === 'wrap_up'));
    await waitUntil(() => requestsOf(wrapUp).length > 1);
    const temporal = temporalClient(goals.world);
    await temporal.workflow.getHandle(`goal:${wrapUp}:1`).terminate();
    const goal = await goals.rest(wrapUp);
    await temporal.connection.close();
    expect(goal.status).toBe('budget_limited');
    const { steps, usage, stepSums } = await usageOf(goals, wrapUp);
    expect(steps.map(({ state }) => state)).not.toContain('sent');
    expect([usage.tokens, usage.costUsd]).toEqual([stepSums.tokens, stepSums.costUsd]);
  });
});
