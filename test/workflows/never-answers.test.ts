import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goalTable, goalText } from '../../src/cli/goal-text.ts';
import { unlinked } from '../../src/cli/screen/goal-link.ts';
import { silentModels } from '../../src/cli/silent-models.ts';
import { workflowIdOf } from '../../src/temporal/names.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';

let asked = 0;
let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals({
    mute: () => ({ hang: 'before' }),
    speaks: () => ({ text: 'So far so good.\n', hang: 'after_text' }),
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

test('TERM-91 list and show tell of a model that is silent for half a minute, and of none that writes', async () => {
  const { client, get } = goals.world;
  const ids: string[] = [];
  for (const name of ['mute', 'speaks']) {
    const goalId = await goals.start(name);
    await goals.asked(goalId);
    ids.push(goalId);
  }
  const [mute = ''] = ids;
  const both = await Promise.all(ids.map(get));
  expect([...(await silentModels(client, both))]).toEqual([]);
  const silent = await silentModels(client, both, Date.now() + 5 * 60_000);
  expect([...silent.keys()]).toEqual([mute]);
  const words = expect.stringMatching(/no word of \S+ for 5m \d\ds$/);
  const table = goalTable(both, unlinked, silent).split('\n');
  expect(table.at(-1)).toEqual(words);
  const [goal] = both;
  if (goal === undefined) throw new Error('no goal');
  const shown = goalText(goal, undefined, silent.get(mute)).split('\n');
  expect(shown.find((line) => line.startsWith('now'))).toEqual(words);
});
