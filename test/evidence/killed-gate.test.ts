import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goalIdOf, sequence } from '../../demo/script.ts';
import type { Approval } from '../../schema/approval.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { SANDBOX } from '../sandbox/support.ts';
import { describeWith } from '../support/needs.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { startWorkerProcess } from './worker-process.ts';

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals({ works: sequence([write, claim]) }, { worker: false });
});
afterAll(() => goals.world.close());

const requestsOf = (goalId: string) =>
  goals.world.model.requests.filter((request) => goalIdOf(request) === goalId);

describeWith(SANDBOX, 'a worker killed after a person granted what was asked', () => {
  const question = { kind: 'approval', question: 'Is it the right one?' } as const;

  /** The test and the command of a goal speak by files that a sandbox shows to checks as well. */
  async function held(goalId: string): Promise<string> {
    const home = goals.world.environment.GOALKEEPER_HOME ?? '';
    const cache = join(home, 'sandbox', goalId, 'home/.cache');
    await mkdir(cache, { recursive: true });
    const hold = join(cache, 'hold');
    await writeFile(hold, '');
    return hold;
  }

  async function granted() {
    const first = startWorkerProcess(goals.world);
    const command =
      'test -f answer.txt && { cd ~/.cache || exit 0; [ ! -f hold ] || { touch hold.met; sleep 60; }; }';
    const goalId = await goals.start('works', {
      criteria: [{ kind: 'command', command }, question],
    });
    const approval = await waitUntil(async () => (await openApprovals(goalId))[0]);
    const hold = await held(goalId);
    const asked = requestsOf(goalId).length;
    await goals.send(goalId, `approvals/${approval.approvalId}`, { decision: 'approve' });
    return { first, goalId, asked, hold };
  }

  test('R40 in its recheck: the recheck happens all the same, without a model call', async () => {
    const { first, goalId, asked, hold } = await granted();
    await waitUntil(() => existsSync(`${hold}.met`));
    await first.kill();
    await rm(hold);
    expect((await goals.world.get(goalId)).status).toBe('active');
    await goals.world.startWorker();
    const goal = await goals.world.until(goalId, ({ status }) => status !== 'active');
    expect(goal.completion).toMatchObject({ verification: 'verified', result: 'It is written.' });
    expect(requestsOf(goalId)).toHaveLength(asked);
    const { items } = await goals.world.client.get<{ items: LedgerRow[] }>(
      `/v1/goals/${goalId}/ledger?limit=100`,
    );
    const tokens = items
      .filter(({ phase, tool }) => phase === 'settled' && tool === 'check.gate')
      .map(({ token }) => token);
    expect(new Set(tokens).size).toBeGreaterThan(1);
  });

  const openApprovals = async (goalId: string) =>
    (
      await goals.world.client.get<{ items: Approval[] }>(
        `/v1/approvals?goalId=${goalId}&state=open`,
      )
    ).items;
});
