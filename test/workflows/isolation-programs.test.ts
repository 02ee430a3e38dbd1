import { expect, onTestFinished } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { programPath } from '../../src/sandbox/program-path.ts';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';
import { type Need, testWith } from '../support/needs.ts';
import { problemOf, waitUntil } from './helpers.ts';

const work = sequence([
  reply.call('run_command', { command: 'echo before > answer.txt' }),
  reply.call('ask_user', { question: 'Shall I go on?' }),
  reply.call('run_command', { command: 'echo after > answer.txt' }),
  reply.call('ask_user', { question: 'And now?' }),
]);

const BARE: Need = { what: 'a sandbox', isThere: programPath('bwrap') === null };

const ranIn = async (world: GoalWorld, goalId: string) => {
  const ledger = `/v1/goals/${goalId}/ledger?tool=run_command`;
  const { items } = await world.client.get<{ items: LedgerRow[] }>(ledger);
  return items.filter(({ phase }) => phase === 'settled');
};

const hasAsked = ({ pause }: Goal) => pause?.reason === 'question';

testWith(BARE)(
  'BOX-18 without a whole sandbox commands run until a program has a token, and again once it is revoked',
  async () => {
    const persons = `admin:${TOKENS.admin}`;
    const environment = { GOALKEEPER_SANDBOX: 'programs', GOALKEEPER_TOKENS: persons };
    const world = await openGoalWorld({ script: work, environment });
    onTestFinished(() => world.close());
    const path = await world.workspace({ 'a.txt': 'a\n' });
    const wanted = { objective: 'Write it', workspace: { path } };
    const { goalId } = await world.start(wanted);
    await world.until(goalId, hasAsked);
    expect(await ranIn(world, goalId)).toMatchObject([{ outcome: 'succeeded' }]);

    await world.client.send('POST', '/v1/tokens', { name: 'ci', role: 'agent' });
    for (const way of ['/v1/goals', '/v1/goals/estimate']) {
      const problem = await problemOf(world.client.send('POST', way, { ...wanted, scope: OPEN }));
      expect(problem).toMatchObject({ code: 'unsupported', field: 'workspace' });
      expect(problem.detail).toMatch(
        /install bubblewrap.*revoke the token.*GOALKEEPER_SANDBOX=auto/i,
      );
    }
    await world.client.send('POST', `/v1/goals/${goalId}/messages`, { text: 'Yes.' });
    const [, refused] = await waitUntil(async () => {
      const rows = await ranIn(world, goalId);
      return rows.length === 2 ? rows : undefined;
    });
    expect(refused?.outcome).toBe('refused');
    expect(refused?.receipt?.reason).toContain('GOALKEEPER_SANDBOX=auto');
    await world.until(goalId, hasAsked);
    await world.client.send('POST', `/v1/goals/${goalId}/clear`, {});

    await world.client.send('DELETE', '/v1/tokens/ci', {});
    const { goalId: later } = await world.start(wanted);
    await world.until(later, hasAsked);
    expect(await ranIn(world, later)).toMatchObject([{ outcome: 'succeeded' }]);
  },
);

const OPEN = { change: ['**'] };
