import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';

describe('goals on which a session of a person works', () => {
  let goals: ScriptedGoals;
  beforeAll(async () => {
    goals = await openScriptedGoals({});
  });
  afterAll(() => goals.world.close());

  const waits = ({ activity }: Goal) => activity.on === 'session';
  const start = async (more = {}) => {
    const goalId = await goals.start('external', { driver: 'external', ...more });
    return await goals.world.until(goalId, waits);
  };
  const newest = async (goalId: string) => (await goals.turns(goalId)).at(-1)?.turn ?? 0;
  const stop = async (goalId: string, text = 'Done.', turn?: number) =>
    await goals.send(goalId, 'turn-end', {
      sessionId: 's',
      turn: turn ?? (await newest(goalId)),
      text,
    });
  const write = ({ workspace }: Goal) => writeFile(join(workspace.path, 'answer.txt'), '42\n');
  const judged = async (goalId: string, turn: number) => {
    await goals.world.until(goalId, (goal) => goal.usage.turns > turn || goal.status !== 'active');
    return (await goals.turns(goalId)).find((one) => one.turn === turn)?.decision;
  };

  test('HOOK-1 wait for the session, refuse its early stop with what is missing, and end proven', async () => {
    const goal = await start();
    const { goalId } = goal;
    await stop(goalId);
    const early = await judged(goalId, 1);
    expect(early).toMatchObject({ action: 'nudge', missing: ['c1'] });
    await write(goal);
    await goals.world.until(goalId, waits);
    await stop(goalId, 'Now it is written.');
    expect(await goals.rest(goalId)).toMatchObject({
      status: 'complete',
      driver: 'external',
      completion: {
        verification: 'verified',
        changedFiles: ['answer.txt'],
        result: 'Now it is written.',
      },
      usage: { turns: 2, tokens: 0, costUsd: '0' },
    });
    expect(goals.world.model.requests).toEqual([]);
    const page = `/v1/goals/${goalId}/ledger?limit=200`;
    const { items } = await goals.world.client.get<{ items: LedgerRow[] }>(page);
    const saw = items.filter(({ tool, phase }) => tool === 'agent_turn' && phase === 'settled');
    expect(saw.map(({ receipt }) => receipt?.writes)).toEqual([undefined, ['answer.txt']]);
  });

  test.each([
    [{ budget: { tokens: 1000 } }, 'budget.tokens'],
    [{ budget: { costUsd: '1.00' } }, 'budget.costUsd'],
    [{ mode: 'plan' }, 'mode'],
    [{ textTokens: true }, 'textTokens'],
    [{ fallbackModel: 'compatible/other' }, 'fallbackModel'],
  ])('HOOK-13 %o is refused with the field and the way out', async (more, field) => {
    const refused = goals.start('external', { driver: 'external', ...more } as never);
    await expect(refused).rejects.toMatchObject({ problem: { code: 'invalid_request', field } });
  });

  test('HOOK-13 turns and time hold: the time from the last prompt to the stop counts', async () => {
    const { goalId, budget } = await start();
    expect(budget).toMatchObject({ tokens: null, costUsd: null, turns: 100 });
    const amended = goals.amend(goalId, { budget: { tokens: 5 } });
    await expect(amended).rejects.toMatchObject({ problem: { field: 'budget.tokens' } });
    await goals.world.database`
      UPDATE turn SET started_at = now() - interval '1 hour' WHERE goal_id = ${goalId}`;
    await goals.send(goalId, 'prompts', { sessionId: 's', text: 'Go on' });
    await goals.world.database`
      UPDATE session_report SET at = now() - interval '100 seconds' WHERE goal_id = ${goalId}`;
    await goals.amend(goalId, { budget: { activeSeconds: 90 } });
    await stop(goalId);
    const rested = await goals.rest(goalId);
    expect(rested.status).toBe('budget_limited');
    expect(rested.usage.activeSeconds).toBeGreaterThan(99);
    expect(rested.usage.activeSeconds).toBeLessThan(150);
  });

  test('HOOK-13 a goal that the service drives takes nothing of a session', async () => {
    const goalId = await goals.start('driven');
    const told = stop(goalId, 'Done.', 1);
    await expect(told).rejects.toMatchObject({ problem: { code: 'invalid_transition' } });
    await goals.send(goalId, 'clear');
  });
});

describe('a worker that dies as it records what a session did', () => {
  let goals: ScriptedGoals;
  const deaths = new Set<string>();
  const dies = (at: string): void => {
    if (deaths.has(at)) return;
    deaths.add(at);
    throw new Error(`the worker is gone: ${at}`);
  };
  /** Once at each place, the end of a call or a step is recorded and its answer lost. */
  const losing = (ports: TurnPorts): TurnPorts => ({
    ...ports,
    journal: {
      ...ports.journal,
      settleCall: async (fence, end) => {
        const row = await ports.journal.settleCall(fence, end);
        if (end.tool.startsWith('agent')) dies(end.tool);
        return row;
      },
      commitStep: async (fence, step) => {
        const done = await ports.journal.commitStep(fence, step);
        dies('step');
        return done;
      },
    },
  });
  beforeAll(async () => {
    goals = await openScriptedGoals({}, { wrapPorts: losing });
  });
  afterAll(() => goals.world.close());

  test('HOOK-16 each call is recorded once, the turn is judged once, and the ledger holds', async () => {
    const goalId = await goals.start('external', { driver: 'external' });
    const goal = await goals.world.until(goalId, ({ activity }) => activity.on === 'session');
    const call = {
      sessionId: 's',
      title: 'Bash',
      input: 'ls',
      paths: [],
      output: '',
      isError: false,
    };
    for (const [callId, kind] of [
      ['1', 'read'],
      ['2', 'execute'],
      ['2', 'execute'],
    ])
      await goals.send(goalId, 'agent-calls', { ...call, callId, kind });
    await writeFile(join(goal.workspace.path, 'answer.txt'), '42\n');
    await goals.send(goalId, 'turn-end', { sessionId: 's', turn: 1, text: 'Done.' });
    expect(await goals.rest(goalId)).toMatchObject({
      status: 'complete',
      usage: { turns: 1 },
      completion: { changedFiles: ['answer.txt'] },
    });
    expect([...deaths].sort()).toEqual(['agent.execute', 'agent.read', 'agent_turn', 'step']);
    const page = `/v1/goals/${goalId}/ledger?limit=200`;
    const { items } = await goals.world.client.get<{ items: LedgerRow[] }>(page);
    const told = items.filter(
      ({ tool, phase }) => tool.startsWith('agent.') && phase === 'settled',
    );
    expect(told.map(({ tool }) => tool).sort()).toEqual(['agent.execute', 'agent.read']);
    expect(await goals.world.client.get(`/v1/goals/${goalId}/ledger/verify`)).toMatchObject({
      holds: true,
    });
  });
});
