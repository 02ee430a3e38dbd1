import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReconcileStore } from '../../src/store/record/reconcile.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { createExecutions } from '../../src/temporal/executions.ts';
import { handOver } from '../../src/temporal/hand-over.ts';
import { answerExists, liveScript } from '../api/live-script.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';

let world: GoalWorld;
beforeAll(async () => {
  world = await openGoalWorld({ script: liveScript });
});
afterAll(() => world.close());

const start = async (name: string) =>
  world.start({
    objective: `${name}: go`,
    criteria: [answerExists],
    workspace: { path: await world.workspace({}) },
  });

test('a goal that ended does not keep the others of a dead worker from being handed over', async () => {
  const ended = await start('writes');
  await world.until(ended.goalId, ({ status }) => status === 'complete');
  const running = await start('hangs');
  await expect.poll(() => world.model.requests.length).toBe(4);
  const [worker] = await world.database<{ workerId: string }[]>`
    SELECT worker_id AS "workerId" FROM attempt WHERE goal_id = ${running.goalId}`;
  const workerId = worker?.workerId ?? '';
  const store = createReconcileStore(world.store, { ledgerKeys: world.ledgerKeys });
  expect(await store.heldBy(workerId)).toEqual([{ goalId: running.goalId, epoch: 1 }]);
  const client = createTemporalClient(world.temporal, world.keys);
  try {
    const heldBy = async () => [ended, running].map(({ goalId }) => ({ goalId, epoch: 1 }));
    expect(await handOver(createExecutions(client, world.queues), { heldBy }, workerId)).toBe(1);
  } finally {
    await client.connection.close();
  }
  await world.client.send('POST', `/v1/goals/${running.goalId}/clear`, {});
});
