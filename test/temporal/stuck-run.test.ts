import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Alerts } from '../../schema/operations.ts';
import { failingTask } from '../../src/temporal/trouble.ts';
import { productVersion } from '../../src/version.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { waitUntil } from '../workflows/helpers.ts';

const rest = reply.call('wait_for', { file: 'ready' });

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals({ waits: sequence([rest, write, claim]) }, { worker: false });
});
afterAll(() => goals.world.close());

/** Workers that start from now on have workflow code of another version, in which turns are another activity. */
async function otherCode(): Promise<() => void> {
  const own = process.env.GOALKEEPER_WORKFLOW_BUNDLE ?? '';
  const code = await readFile(own, 'utf8');
  const path = join(goals.world.environment.GOALKEEPER_HOME ?? '', 'other-bundle.js');
  const other = code.replaceAll('.runTurn(', '.lookAtRewind(');
  expect(other).not.toBe(code);
  await writeFile(path, other);
  process.env.GOALKEEPER_WORKFLOW_BUNDLE = path;
  const back = () => {
    process.env.GOALKEEPER_WORKFLOW_BUNDLE = own;
  };
  onTestFinished(back);
  return back;
}

test('STUCK-1 a goal whose history the code of its workers does not lead to says so and who acts, raises an alert, and goes on by workers of its version', async () => {
  const { world } = goals;
  const first = await world.startWorker();
  const goalId = await goals.start('waits');
  const { workspace } = await world.until(goalId, ({ activity }) => activity.on === 'condition');
  first.stop();
  await first.done;
  const back = await otherCode();
  const older = await world.startWorker();
  const stuck = await world.until(goalId, ({ activity }) => activity.on === 'execution');
  expect(stuck.activity).toMatchObject({ state: 'waiting', actor: 'You' });
  expect(stuck.activity.reason).toContain(`start workers of ${productVersion()}`);
  const { items } = await world.client.get<Alerts>('/v1/alerts');
  expect(items.filter(({ kind }) => kind === 'stuck')).toMatchObject([{ goalId, actor: 'You' }]);
  const waiting = await world.client.get<{ items: { goalId: string }[] }>('/v1/goals?actor=You');
  expect(waiting.items.map((one) => one.goalId)).toContain(goalId);
  older.stop();
  await older.done;
  back();
  await writeFile(join(workspace.path, 'ready'), '');
  await world.startWorker();
  expect(await goals.rest(goalId)).toMatchObject({ status: 'complete' });
  await waitUntil(async () =>
    (await world.client.get<Alerts>('/v1/alerts')).items.every(({ kind }) => kind !== 'stuck'),
  );
});

test('STUCK-3 a try or two after a worker that died is no trouble; many are', () => {
  const workflow = (attempt: number) => failingTask({ pendingWorkflowTask: { attempt } });
  expect([1, 2].map(workflow)).toEqual([null, null]);
  expect(workflow(3)).toMatchObject({ task: 'workflow', attempts: 3 });
  const activity = (attempt: number, hasFailed: boolean) =>
    failingTask({
      pendingActivities: [
        {
          attempt,
          activityType: { name: 'runTurn' },
          ...(hasFailed && { lastFailure: { message: 'away' } }),
        },
      ],
    });
  expect(activity(4, true)).toBeNull();
  expect(activity(9, false)).toBeNull();
  expect(activity(5, true)).toMatchObject({ task: 'runTurn', attempts: 5 });
});
