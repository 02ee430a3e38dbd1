import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { temporalClient, waitUntil } from './helpers.ts';

let goals: ScriptedGoals;
let temporal: Client;
beforeAll(async () => {
  const waits = sequence([reply.call('wait_for', { file: 'ready' }), write, claim]);
  goals = await openScriptedGoals({ waits });
  temporal = temporalClient(goals.world);
});
afterAll(async () => {
  await temporal.connection.close();
  await goals.world.close();
});

async function waiting(policy: object): Promise<Goal> {
  const goalId = await goals.start('waits', { policy });
  return await goals.world.until(goalId, ({ activity }) => activity.on === 'condition');
}

/** As a store that is gone: the run ends, and the record doesn't know. */
async function lose(goalId: string, epoch: number): Promise<void> {
  await temporal.workflow.getHandle(`goal:${goalId}:${epoch}`).terminate('lost');
  await waitUntil(
    async () =>
      (await goals.world.database`SELECT FROM goal WHERE goal_id = ${goalId} AND epoch > ${epoch}`)
        .count > 0,
  );
}

/** The next execution has begun. */
const begun = (goalId: string, epoch: number) =>
  waitUntil(
    async () =>
      (
        await goals.world.database`
          SELECT FROM goal WHERE goal_id = ${goalId} AND epoch = ${epoch} AND run_id IS NOT NULL`
      ).count > 0,
  );

test('REC-36 a goal whose execution is lost waits for a person, unless its policy has it go on by itself', async () => {
  const asks = await waiting({});
  await lose(asks.goalId, 1);
  const paused = await goals.world.until(asks.goalId, ({ status }) => status === 'paused');
  expect(paused.pause?.reason).toBe('recovery');

  const goesOn = await waiting({ onLost: 'resume' });
  await lose(goesOn.goalId, 1);
  await begun(goesOn.goalId, 2);
  await writeFile(join(goesOn.workspace.path, 'ready'), '');
  expect(await goals.rest(goesOn.goalId)).toMatchObject({
    status: 'complete',
    completion: { verification: 'verified' },
  });
});

test('REC-36 one that is lost for the fourth time within an hour asks a person', async () => {
  const { goalId } = await waiting({ onLost: 'resume' });
  for (const epoch of [1, 2, 3]) {
    await lose(goalId, epoch);
    await begun(goalId, epoch + 1);
    expect((await goals.world.get(goalId)).status).toBe('active');
  }
  await lose(goalId, 4);
  const paused = await goals.world.until(goalId, ({ status }) => status === 'paused');
  expect(paused.pause?.reason).toBe('recovery');
});
