import { afterAll, beforeAll, expect, test } from 'vitest';
import { goalIdOf } from '../../demo/script.ts';
import { describeWith, PODS } from '../support/needs.ts';
import type { ScriptedGoals } from '../support/scripted-goals.ts';
import { waitUntil } from './helpers.ts';
import { openPodGoals, startPod } from './pods.ts';

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
});
