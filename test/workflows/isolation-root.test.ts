import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { CheckResult, Estimate } from '../../schema/estimate.ts';
import type { StartGoal } from '../../schema/goal.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { describeWith, ROOT } from '../support/needs.ts';
import { temporaryFolder } from '../tools/support.ts';
import { problemOf, waitUntil } from './helpers.ts';

const command = 'test "$(id -u)" = 65534 && test -f answer.txt';
const check = { kind: 'command', command } as const;
const work = sequence([
  reply.call('run_command', { command: 'id -u > answer.txt && cat answer.txt' }),
  reply.call('attempt_completion', { result: 'It is written.' }),
]);

let world: GoalWorld;
beforeAll(async () => {
  const environment = { GOALKEEPER_SANDBOX: 'off' };
  world = await openGoalWorld({ script: work, worker: false, environment });
});
afterAll(() => world.close());

const goalIn = (path: string, more: object = {}): StartGoal => ({
  ...{ objective: 'Write it', workspace: { path }, criteria: [check], ...more },
});

describeWith(ROOT, 'goals at a worker of root’s without a sandbox', () => {
  test('BOX-14 before any worker lives a goal begins in a folder of root’s; its calls and checks are refused and say why', async () => {
    const path = await temporaryFolder();
    const { goalId } = await world.start(goalIn(path));
    await world.startWorker();
    const { receipt } = await waitUntil(async () => {
      const ledger = `/v1/goals/${goalId}/ledger?tool=run_command`;
      const { items } = await world.client.get<{ items: LedgerRow[] }>(ledger);
      return items.find(({ phase, outcome }) => phase === 'settled' && outcome === 'refused');
    });
    expect(receipt?.reason).toContain(`${path} belongs to root`);
    const { criteria } = await world.get(goalId);
    expect(criteria).toMatchObject([{ baseline: 'not_run' }]);
    await world.client.send('POST', `/v1/goals/${goalId}/clear`, {});
  });

  test('BOX-14 estimate and start refuse an agent’s goal there, with both ways out', async () => {
    const path = await temporaryFolder();
    for (const way of ['/v1/goals', '/v1/goals/estimate']) {
      const problem = await problemOf(world.client.send('POST', way, goalIn(path)));
      expect(problem).toMatchObject({ code: 'unsupported', field: 'workspace' });
      expect(problem.detail).toMatch(/belongs to root.*install bubblewrap.*chown -R USER: /);
    }
    const look = { ...goalIn(path), mode: 'plan', criteria: [] };
    const estimate = await world.client.send<Estimate>('POST', '/v1/goals/estimate', look);
    expect(estimate.mode).toBe('plan');
  });

  test('PRX-23: listed domains are refused where no network can be made, with the ways out', async () => {
    const path = await world.workspace({});
    const policy = { sandbox: { network: { domains: ['example.org'] } } };
    const body = { ...goalIn(path), policy };
    for (const way of ['/v1/goals', '/v1/goals/estimate']) {
      const problem = await problemOf(world.client.send('POST', way, body));
      expect(problem).toMatchObject({ code: 'unsupported', field: 'policy.sandbox.network' });
      expect(problem.detail).toMatch(/install bubblewrap.*doctor.*"none" or "host"/);
    }
    const tried = { workspace: { path }, criterion: check, policy };
    const problem = await problemOf(world.client.send('POST', '/v1/checks', tried));
    expect(problem).toMatchObject({ code: 'unsupported', field: 'policy.sandbox.network' });
  });

  test('BOX-14 a check that is tried there did not run, and says why', async () => {
    const path = await temporaryFolder();
    const body = { workspace: { path }, criterion: check };
    const tried = await world.client.send<CheckResult>('POST', '/v1/checks', body);
    expect(tried).toMatchObject({ state: 'not_run', reason: expect.stringContaining('chown -R') });
  });

  test('BOX-15 a goal in an ordinary user’s folder is done and proven as that user', async () => {
    const { goalId } = await world.start(goalIn(await world.workspace({ 'a.txt': 'a\n' })));
    const goal = await world.until(goalId, ({ status }) => status === 'complete');
    expect(goal).toMatchObject({
      isolation: 'none',
      completion: { source: 'explicit', isolation: 'none' },
    });
    expect(goal.criteria).toMatchObject([{ baseline: 'unmet' }]);
  });
});
