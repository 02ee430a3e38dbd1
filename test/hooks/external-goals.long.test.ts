import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
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
});
