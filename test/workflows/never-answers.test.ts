import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workflowIdOf } from '../../src/temporal/names.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';

let asked = 0;
let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals({
    silent: ({ messages }) => {
      asked += 1;
      if (asked === 1) return { hang: 'before' };
      return messages.some(({ role }) => role === 'assistant') ? claim : write;
    },
  });
});
afterAll(() => goals.world.close());

/** Whoever reaches Temporal gives what the service did not encrypt, while the turn goes on. */
async function giveForeignResult(goalId: string): Promise<void> {
  const { address, namespace } = goals.world.temporal;
  const connection = await Connection.connect({ address });
  const raw = new Client({ connection, namespace });
  const workflowId = workflowIdOf(goalId, 1);
  const { raw: described } = await raw.workflow.getHandle(workflowId).describe();
  const [turn] = described.pendingActivities ?? [];
  await raw.activity.complete({ workflowId, activityId: turn?.activityId ?? '' }, 'mine');
  await connection.close();
}

test('TERM-82 a goal whose first call is never answered asks anew where a result of its turn is refused, long before that call is given up', async () => {
  const { world } = goals;
  const goalId = await goals.start('silent');
  await goals.asked(goalId);
  await giveForeignResult(goalId);
  const goal = await world.until(goalId, ({ status }) => status === 'complete');
  expect(goal.completion?.verification).toBe('verified');
  // The one that hangs, and those of the turn that took its place.
  expect(asked).toBe(3);
  expect(Date.parse(goal.updatedAt) - Date.parse(goal.createdAt)).toBeLessThan(60_000);
});
