import { afterAll, beforeAll, expect, test } from 'vitest';
import { goalIdOf } from '../../demo/script.ts';
import { describeWith, PODS } from '../support/needs.ts';
import type { ScriptedGoals } from '../support/scripted-goals.ts';
import { waitUntil } from './helpers.ts';
import { movesToAnotherPool, openPodGoals, startPod } from './pods.ts';

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openPodGoals();
});
afterAll(() => goals.world.close());

describeWith(PODS, 'machines that change', () => {
  test('POOL-4 a pod with another name goes on where a killed one was, once that is silent', async () => {
    const { world } = goals;
    const first = startPod(goals, 'pod-1');
    await first.serves();
    const goalId = await goals.start('works');
    await waitUntil(() => world.model.requests.some((request) => goalIdOf(request) === goalId));
    await waitUntil(
      async () =>
        (
          await world.database`SELECT FROM ledger WHERE goal_id = ${goalId} AND tool = 'run_command'`
        ).length > 0,
    );
    const second = startPod(goals, 'pod-2');
    await second.says('serves the pool \\"shop\\"');
    await first.end('SIGKILL');
    await world.database`UPDATE pool SET seen_at = now() - interval '61 seconds'`;
    await second.serves();
    const goal = await goals.rest(goalId);
    expect(goal).toMatchObject({ status: 'complete', completion: { verification: 'verified' } });
    const attempts = await world.database<{ host: string }[]>`
      SELECT host FROM attempt WHERE goal_id = ${goalId} ORDER BY token`;
    expect(attempts.map(({ host }) => host)).toEqual(expect.arrayContaining(['pod-1', 'pod-2']));
    await second.end('SIGTERM');
  });

  test('POOL-5 a pod that is told to stop hands the pool over at once, and the goal goes on', async () => {
    const first = startPod(goals, 'pod-3');
    await first.serves();
    const second = startPod(goals, 'pod-4');
    await second.says('serves the pool');
    await first.end('SIGTERM');
    const goalId = await goals.start('waits');
    await second.serves();
    expect(await goals.rest(goalId)).toMatchObject({ status: 'complete' });
    await second.end('SIGTERM');
  });

  test('POOL-6 a worker whose pool another machine took ends what it runs, and exits', async () => {
    const { world } = goals;
    const first = startPod(goals, 'pod-5');
    await first.serves();
    const goalId = await goals.start('works');
    await waitUntil(
      async () =>
        (
          await world.database`SELECT FROM ledger WHERE goal_id = ${goalId} AND tool = 'run_command'`
        ).length > 0,
    );
    await world.database`UPDATE pool SET machine = 'elsewhere', seen_at = now()`;
    await first.says('elsewhere serves it');
    expect(await first.exit).not.toBe(0);
    await world.database`DELETE FROM pool`;
  });

  test('POOL-7 a goal that works goes on where another pool takes its workspace up by name', async () => {
    expect(await movesToAnotherPool(goals, 'works')).toMatchObject({ status: 'complete' });
  });

  test('POOL-7 a goal that proves goes on where another pool takes its workspace up by name', async () => {
    expect(await movesToAnotherPool(goals, 'proves')).toMatchObject({ status: 'complete' });
  });
});
