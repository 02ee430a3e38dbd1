import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { SecurityEntry } from '../../schema/security-log.ts';
import type { StoredRule } from '../../schema/stored-rule.ts';
import { createClient } from '../../src/cli/client.ts';
import { TOKENS } from '../support/goal-world.ts';
import { answerExists, claim, openApprovalWorld, problemOf, write } from './approval-world.ts';

const run = (command: string, more: object = {}) => reply.call('run_command', { command, ...more });
const clear = 'rm -rf old';
const files = { 'old/file.txt': 'x\n', 'sub/old/file.txt': 'x\n' };

const scripts = {
  clears: sequence([run(clear), write('answer.txt'), claim()]),
  quotes: sequence([run('rm  "-rf" old'), write('answer.txt'), claim()]),
  wider: sequence([run(`${clear} && rm -rf sub`), write('answer.txt'), claim()]),
  elsewhere: sequence([run(clear, { cwd: 'sub' }), write('answer.txt'), claim()]),
  claims: sequence([write('answer.txt'), claim()]),
};

let the: Awaited<ReturnType<typeof openApprovalWorld>>;
beforeAll(async () => {
  the = await openApprovalWorld(scripts);
});
afterAll(() => the.world.close());

const criteria = [answerExists];
const finished = (goalId: string) => the.world.until(goalId, ({ status }) => status === 'complete');
const callOf = async (goalId: string) => {
  const page = `/v1/goals/${goalId}/ledger?limit=100`;
  const { items } = await the.world.client.get<{ items: LedgerRow[] }>(page);
  return items.find(({ phase, tool }) => phase === 'settled' && tool === 'run_command');
};
const rules = async () =>
  (await the.world.client.get<{ items: StoredRule[] }>('/v1/rules')).items.filter(
    ({ revokedAt }) => revokedAt === null,
  );
const logged = async (what: string) =>
  (await the.world.client.get<{ items: SecurityEntry[] }>(`/v1/security-log?what=${what}`)).items;
/** The answer is there already, so nothing is proven by it. */
const startIn = async (path: string, name: string, policy: object = {}) =>
  (
    await the.world.start({
      ...{ objective: `${name}: go`, workspace: { path }, criteria },
      policy: { completion: 'supported', ...policy },
    })
  ).goalId;

describe('a call that a person lets run for good', () => {
  test('RULE-4: the rule is shown before it is stored, holds for later goals of the workspace by its name, and ends when it is revoked', async () => {
    const first = await the.open('clears', { criteria }, files);
    const approval = await the.asked(first.goalId);
    const goal = await the.world.get(first.goalId);
    const workspace = goal.workspace.name;
    expect(approval.always).toEqual({ workspace, says: 'run_command "rm -rf old"' });
    const path = `approvals/${approval.approvalId}`;
    await the.send(first.goalId, path, { decision: 'approve', always: true });
    await finished(first.goalId);
    const [rule] = await rules();
    expect(rule).toMatchObject({
      ...{ workspace, covers: { tool: 'run_command', command: clear, cwd: '.' } },
      ...{ goalId: first.goalId, approvalId: approval.approvalId, says: approval.always?.says },
    });
    const [made] = await logged('rule_made');
    expect(made).toMatchObject({
      ...{ subject: rule?.ruleId, who: rule?.madeBy, address: '127.0.0.1', result: 'done' },
      data: { workspace, goalId: first.goalId, approvalId: approval.approvalId },
    });

    const later = await startIn(first.path, 'quotes');
    await finished(later);
    expect(await the.approvals(later, 'all')).toEqual([]);
    expect((await callOf(later))?.receipt?.policy).toEqual({
      decision: 'allow',
      rule: `stored rule ${rule?.ruleId} (always run_command "rm -rf old"), by ${rule?.madeBy}`,
    });

    for (const name of ['wider', 'elsewhere']) {
      const other = await startIn(first.path, name);
      expect((await the.asked(other)).data).toMatchObject({ tool: 'run_command' });
      await the.send(other, 'clear');
    }
    const away = await the.open('clears', { criteria }, files);
    await the.asked(away.goalId);

    await the.world.client.send('DELETE', `/v1/rules/${rule?.ruleId}`, {});
    expect(await rules()).toEqual([]);
    expect((await logged('rule_revoked'))[0]).toMatchObject({ subject: rule?.ruleId });
    const after = await startIn(first.path, 'clears');
    await the.asked(after);
  });

  test('RULE-5: what a policy denies stays denied', async () => {
    const first = await the.open('clears', { criteria }, files);
    const { approvalId } = await the.asked(first.goalId);
    const always = { decision: 'approve', always: true };
    await the.send(first.goalId, `approvals/${approvalId}`, always);
    await finished(first.goalId);
    const tools = [{ tool: 'run_command', command: 'rm', decision: 'deny' }];
    const denied = await startIn(first.path, 'clears', { tools });
    await finished(denied);
    expect(await callOf(denied)).toMatchObject({
      outcome: 'refused',
      receipt: { policy: { decision: 'deny' } },
    });
  });

  test('RULE-6: a program stores and revokes no rule, a denial stores none, and what no rule can say is refused with its field', async () => {
    const asked = await the.open('clears', { criteria }, files);
    const { approvalId } = await the.asked(asked.goalId);
    const path = `/v1/goals/${asked.goalId}/approvals/${approvalId}`;
    const { url } = the.world;
    const agent = createClient({ url, token: TOKENS.agent });
    const before = await rules();
    const approve = { decision: 'approve', always: true };
    expect((await problemOf(agent.send('POST', path, approve))).status).toBeGreaterThan(402);
    const revoke = agent.send('DELETE', `/v1/rules/${before[0]?.ruleId}`, {});
    expect((await problemOf(revoke)).code).toBe('forbidden');
    const deny = the.world.client.send('POST', path, { decision: 'deny', always: true });
    expect(await problemOf(deny)).toMatchObject({ code: 'invalid_request' });

    const question = { kind: 'approval', question: 'Is it good?' };
    const claims = await the.open('claims', { criteria: [answerExists, question] });
    const open = await the.asked(claims.goalId);
    expect(open.always).toBeNull();
    const refused = the.send(claims.goalId, `approvals/${open.approvalId}`, approve);
    expect(await problemOf(refused)).toMatchObject({ code: 'invalid_request', field: 'always' });
    expect(await rules()).toEqual(before);
  });
});
