import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Superseded } from '../../src/contract/failures.ts';
import { emptyTurnFacts } from '../../src/goal/decision/empty-turn-facts.ts';
import { wholeSight } from '../../src/policy/sight.ts';
import {
  answeredStep,
  mutation,
  newGoal,
  type OpenRecord,
  openRecord,
  request,
  sentStep,
  settledTurn,
  USAGE,
} from './record-fixture.ts';

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord();
});
afterAll(() => stores.close());

/** What was stored with it when it was sent. */
const CHARGED = { inputTokens: 1000, outputTokens: 40, costUsd: '0.001234', steps: 1 };

const usageOf = async (goalId: string) => (await stores.reader.goal(goalId))?.usage.own;

/** A model call that was sent, and whose worker is gone. */
async function lostCall() {
  const open = await stores.openTurn();
  await stores.journal.beginStep(open.fence, sentStep());
  return open;
}

const interrupted = { facts: emptyTurnFacts(1, 'start', 'agent', 'interrupted') };
const provider = {
  on: 'provider',
  reason: 'overload',
  since: '2026-01-01T00:00:00.000Z',
  until: null,
} as const;

describe('a model call whose end nobody heard', () => {
  it('is charged when its turn settles, once, with the prices that it was sent with', async () => {
    const { execution, goalId } = await lostCall();
    const turn = settledTurn({ action: 'hold' }, { ...interrupted, commitId: 'turn-1' });
    await stores.record.recordTurn(execution, turn);
    await stores.record.recordTurn(execution, turn);
    expect(await usageOf(goalId)).toMatchObject(CHARGED);
    const { items } = await stores.reader.usageSteps(goalId, { limit: 10 });
    expect(items).toMatchObject([
      { state: 'lost', isEstimated: true, costUsd: '0.001234', pricesVersion: USAGE.pricesVersion },
    ]);
    expect((await stores.reader.usageOfSteps(goalId)).estimated).toEqual({
      calls: 1,
      tokens: 1040,
      costUsd: '0.001234',
    });
  });

  it.each(['clear', 'complete'] as const)(
    'is charged when a person ends a goal that waits: %s',
    async (kind) => {
      const { execution, goalId } = await lostCall();
      const change = { commitId: 'wait', expectedRevision: 1, wait: provider };
      await stores.record.commitWait(execution, change);
      expect(await usageOf(goalId)).toMatchObject({ steps: 0 });
      await stores.record.commitMutation(execution, mutation({ kind }), goalId);
      expect(await usageOf(goalId)).toMatchObject(CHARGED);
    },
  );

  it('is charged when a goal without an execution is ended', async () => {
    const { execution, goalId } = await lostCall();
    await stores.reconcile.markLost({ ...execution, revision: 1 });
    await stores.record.commitMutation(null, mutation({ kind: 'clear' }), goalId);
    expect(await usageOf(goalId)).toMatchObject(CHARGED);
  });

  it('is charged as soon as the execution of its goal is lost', async () => {
    const { execution, goalId } = await lostCall();
    expect(await stores.reconcile.markLost({ ...execution, revision: 1 })).toBe(true);
    expect(await usageOf(goalId)).toMatchObject(CHARGED);
  });

  it('M15 is charged when the execution is lost in the wrap-up, after which nothing happens', async () => {
    const { execution, goalId } = await lostCall();
    const lower = mutation({ kind: 'amend', changesCriteria: false, budget: { turns: 1 } });
    const { state } = await stores.record.commitMutation(execution, lower, goalId);
    expect(state.chart.value).toEqual({ budget_limited: 'wrapping_up' });
    await stores.reconcile.markLost({ ...execution, revision: state.revision });
    expect(await stores.reader.goal(goalId)).toMatchObject({
      status: 'budget_limited',
      activity: { state: 'idle' },
    });
    expect(await usageOf(goalId)).toMatchObject(CHARGED);
  });

  it('is found by the reconciler wherever nothing of its goal runs, and charged once', async () => {
    const { execution, goalId } = await lostCall();
    await stores.reconcile.markLost({ ...execution, revision: 1 });
    await stores.db`
      INSERT INTO step (goal_id, turn, step, attempt, token, state, model, estimated_input,
        reserved_output, estimated_output, estimated_cost_usd)
      VALUES (${goalId}, 1, 2, 1, 1, 'sent', 'openai/test', 500, 100, 20, 0.5)`;
    const running = await lostCall();
    await stores.reconcile.chargeStranded();
    await stores.reconcile.chargeStranded();
    expect(await usageOf(goalId)).toMatchObject({ steps: 2, inputTokens: 1500, outputTokens: 60 });
    expect(await usageOf(running.goalId)).toMatchObject({ steps: 0 });
  });

  it('is charged to the goal that was replaced, when its execution is given up', async () => {
    const { execution, goalId } = await lostCall();
    const goal = await stores.reader.goal(goalId);
    const next = newGoal({ threadId: goal?.threadId ?? '' });
    await stores.intake.startGoal(request(), next, {
      expectedGoalId: goalId,
      replace: true,
      sight: wholeSight,
    });
    await stores.reconcile.markLost({ ...execution, revision: 2 });
    expect(await usageOf(goalId)).toMatchObject(CHARGED);
    expect(await usageOf(next.goalId)).toMatchObject({ tokens: 0, steps: 0 });
  });

  it('that is still running when its goal is cleared tells its own end', async () => {
    const { execution, fence, goalId } = await lostCall();
    await stores.record.commitMutation(execution, mutation({ kind: 'clear' }), goalId);
    expect(await usageOf(goalId)).toMatchObject({ steps: 0 });
    await stores.journal.commitStep(fence, answeredStep());
    expect(await usageOf(goalId)).toMatchObject({
      steps: 1,
      inputTokens: USAGE.inputTokens,
      outputTokens: 50,
    });
  });

  it('that comes back after it was charged changes nothing', async () => {
    const { execution, fence, goalId } = await lostCall();
    await stores.record.recordTurn(execution, settledTurn({ action: 'hold' }, interrupted));
    await expect(stores.journal.commitStep(fence, answeredStep())).rejects.toThrow(Superseded);
    expect(await usageOf(goalId)).toMatchObject(CHARGED);
  });
});

describe('active time', () => {
  const activeOf = async (goalId: string) => (await usageOf(goalId))?.activeSeconds;

  it('that is told twice counts once', async () => {
    const { fence, goalId } = await stores.openTurn();
    await stores.journal.addActiveTime(fence, 1500);
    await stores.journal.addActiveTime(fence, 1500);
    expect(await activeOf(goalId)).toBe(1.5);
  });

  it('is kept with each model call, so that a worker that dies takes little of it along', async () => {
    const { execution, fence, goalId } = await lostCall();
    await stores.journal.commitStep(fence, { ...answeredStep(), activeMs: 700 });
    expect(await activeOf(goalId)).toBe(0.7);
    const next = await stores.takeOver(execution);
    await stores.journal.addActiveTime(next, 200);
    expect(await activeOf(goalId)).toBeCloseTo(0.9);
  });
});

describe('a step', () => {
  it('begins only from the goal as it is', async () => {
    const { execution, fence, goalId } = await stores.openTurn();
    const amend = mutation({ kind: 'amend', changesCriteria: false, budget: { turns: 7 } });
    await stores.record.commitMutation(execution, amend, goalId);
    expect(await stores.journal.beginStep(fence, { ...sentStep(), revision: 1 })).toBe(false);
    expect(await stores.journal.beginStep(fence, { ...sentStep(), revision: 2 })).toBe(true);
  });
});
