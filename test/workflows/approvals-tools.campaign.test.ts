import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { createClient } from '../../src/cli/client.ts';
import { TOKENS } from '../support/goal-world.ts';
import { answerExists, claim, openApprovalWorld, problemOf, write } from './approval-world.ts';
import { turnsOf } from './helpers.ts';

const run = (command: string) => reply.call('run_command', { command });
/** Destructive to the policy, countable to the test. */
const once = 'rm -rf old && echo ran >> runs.txt';
const files = { 'old/file.txt': 'x\n' };
const rules = [{ tool: 'write_file', path: 'infra', decision: 'deny' }];

const scripts = {
  removes: sequence([run(once), write('answer.txt'), claim()]),
  insists: sequence([run(once), run(once), write('answer.txt'), claim()]),
  several: sequence([
    reply.calls([
      { tool: 'run_command', input: { command: 'touch first' } },
      { tool: 'run_command', input: { command: once } },
      { tool: 'run_command', input: { command: 'touch third' } },
    ]),
    write('answer.txt'),
    claim(),
  ]),
  'just-claims': sequence([claim()]),
  looks: sequence([
    reply.call('run_command', { command: 'cat key.txt', cwd: 'keys' }),
    reply.call('grep_search', { pattern: 'newt' }),
    write('answer.txt'),
    claim(),
  ]),
  waits: sequence([reply.call('wait_for', { file: 'built' }), write('answer.txt'), claim()]),
  hands: sequence([
    reply.call('delegate', { task: 'find: it' }),
    reply.text('I wait for it.'),
    write('answer.txt'),
    claim(),
  ]),
  find: sequence([reply.text('It is in the second folder.')]),
  writes: sequence([write('infra/main.tf'), write('answer.txt'), claim()]),
  claims: sequence([
    reply.call('attempt_completion', { result: 'Done.', command: 'rm -rf old' }),
    write('answer.txt'),
    claim(),
  ]),
};

let the: Awaited<ReturnType<typeof openApprovalWorld>>;
beforeAll(async () => {
  the = await openApprovalWorld(scripts);
});
afterAll(() => the.world.close());

const criteria = [answerExists];
const completes = (goalId: string) =>
  the.world.until(goalId, ({ status }) => status === 'complete');
const runsIn = async (path: string) =>
  (await readFile(join(path, 'runs.txt'), 'utf8').catch(() => '')).split('\n').length - 1;
const settledCalls = async (goalId: string) => {
  const page = `/v1/goals/${goalId}/ledger?limit=100`;
  const { items } = await the.world.client.get<{ items: LedgerRow[] }>(page);
  return items.filter(({ phase, tool }) => phase === 'settled' && tool === 'run_command');
};

describe('a call that the policy asks about', () => {
  test('C15 waits for a person, shows call, arguments and rule, and gives the workspace back', async () => {
    const { goalId, path } = await the.open('removes', { criteria }, files);
    const approval = await the.asked(goalId);
    expect(approval).toMatchObject({
      kind: 'tool',
      data: {
        tool: 'run_command',
        arguments: { command: once },
        rule: 'default: deletes files beyond build folders',
      },
    });
    expect(approval.question).toContain(once);
    const goal = await the.world.get(goalId);
    expect(goal.status).toBe('active');
    expect(goal.activity).toMatchObject({ state: 'waiting', on: 'approval', actor: 'You' });
    expect(await the.holdsLease(goalId)).toBe(false);
    expect(existsSync(join(path, 'old'))).toBe(true);
    const [turn] = await turnsOf(the.world, goalId);
    expect(turn?.decision).toMatchObject({ rule: 3, action: 'wait' });
    await the.send(goalId, 'clear');
  });

  test('runs once when it is approved, and its receipt names rule and person', async () => {
    const { goalId, path } = await the.open('removes', { criteria }, files);
    const approval = await the.asked(goalId);
    const calls = the.modelCalls(goalId);
    await the.decide(approval, 'approve');
    await completes(goalId);
    expect(existsSync(join(path, 'old'))).toBe(false);
    expect(await runsIn(path)).toBe(1);
    expect(the.modelCalls(goalId)).toBe(calls + 2);
    const [call] = await settledCalls(goalId);
    expect(call).toMatchObject({
      outcome: 'succeeded',
      receipt: {
        policy: {
          decision: 'ask',
          rule: 'default: deletes files beyond build folders',
          approvalId: approval.approvalId,
        },
      },
    });
    expect((await problemOf(the.decide(approval, 'deny'))).code).toBe('already_answered');
  });

  test('is refused with the note when it is denied, and the goal goes on', async () => {
    const { goalId, path } = await the.open('removes', { criteria }, files);
    await the.decide(await the.asked(goalId), 'deny', 'Keep the old files.');
    await completes(goalId);
    expect(existsSync(join(path, 'old'))).toBe(true);
    expect(the.wasTold(goalId, 'a person denied it. Their words: Keep the old files.')).toBe(true);
    expect(await settledCalls(goalId)).toMatchObject([{ outcome: 'refused' }]);
  });

  test('holds back what the same step asked for after it, not what came before', async () => {
    const { goalId, path } = await the.open('several', { criteria }, files);
    const approval = await the.asked(goalId);
    expect([existsSync(join(path, 'first')), existsSync(join(path, 'third'))]).toEqual([
      true,
      false,
    ]);
    await the.decide(approval, 'approve');
    await completes(goalId);
    expect(await runsIn(path)).toBe(1);
    expect(existsSync(join(path, 'third'))).toBe(false);
  });

  test('is asked about anew each time that the model wants it', async () => {
    const { goalId, path } = await the.open('insists', { criteria }, files);
    const first = await the.asked(goalId);
    await the.decide(first, 'approve');
    const second = await the.asked(goalId);
    expect(second.approvalId).not.toBe(first.approvalId);
    await the.decide(second, 'deny');
    await completes(goalId);
    expect(await runsIn(path)).toBe(1);
  });

  test('M20 a message while it waits comes first; the call is not run and nobody can approve it any more', async () => {
    const { goalId, path } = await the.open('removes', { criteria }, files);
    const approval = await the.asked(goalId);
    await the.send(goalId, 'messages', { text: 'What are you doing?' });
    await the.world.until(goalId, ({ status }) => status !== 'active');
    expect((await problemOf(the.decide(approval, 'approve'))).code).toBe('already_answered');
    expect(the.wasTold(goalId, 'nobody decided about it before the goal went on')).toBe(true);
    expect(await runsIn(path)).toBe(0);
  });

  test('a pause while it waits: the approval is closed, and after the resume the call was not run', async () => {
    const { goalId, path } = await the.open('removes', { criteria }, files);
    const approval = await the.asked(goalId);
    await the.send(goalId, 'pause');
    expect((await problemOf(the.decide(approval, 'approve'))).code).toBe('already_answered');
    await the.send(goalId, 'resume');
    await completes(goalId);
    expect(await runsIn(path)).toBe(0);
  });

  test.each(['viewer', 'agent'] as const)('is not for the role %s to decide', async (role) => {
    const { goalId } = await the.open('removes', { criteria }, files);
    const { approvalId } = await the.asked(goalId);
    const other = createClient({ url: the.world.url, token: TOKENS[role] });
    const sent = other.send<Goal>('POST', `/v1/goals/${goalId}/approvals/${approvalId}`, {
      decision: 'approve',
    });
    expect((await problemOf(sent)).code).toBe('forbidden');
    expect(await the.approvals(goalId)).toHaveLength(1);
    await the.send(goalId, 'clear');
  });
});

describe('a call that the policy forbids', () => {
  test('is refused with the rule, and the goal goes on', async () => {
    const { goalId, path } = await the.open('writes', { criteria, policy: { tools: rules } });
    const goal = await completes(goalId);
    expect(goal.policy.tools).toEqual(rules);
    expect(existsSync(join(path, 'infra'))).toBe(false);
    expect(the.wasTold(goalId, 'goal rule 1 (deny write_file on infra)')).toBe(true);
  });

  test('a place that is forbidden is not read from inside of it, nor by a search from above', async () => {
    const policy = { tools: [{ tool: '*', path: 'keys', decision: 'deny' }] };
    const keys = { 'keys/key.txt': 'tongue of newt\n' };
    const { goalId } = await the.open('looks', { criteria, policy }, keys);
    await completes(goalId);
    expect(the.wasTold(goalId, 'tongue of newt')).toBe(false);
    expect(the.wasTold(goalId, 'the policy forbids it: goal rule 1 (deny * on keys)')).toBe(true);
    expect(the.wasTold(goalId, '1 left out')).toBe(true);
  });

  test('M28 a claim that is forbidden is stopped after the second time', async () => {
    const tools = [{ tool: 'attempt_completion', decision: 'deny' }];
    const { goalId } = await the.open('just-claims', { criteria: [], policy: { tools } });
    const goal = await the.world.until(goalId, ({ status }) => status === 'paused');
    expect(goal.pause?.reason).toBe('lifecycle_breaker');
  });

  test.each(['approve', 'deny'] as const)(
    'C18 a claim whose command asks waits for a person: %s',
    async (decision) => {
      const { goalId, path } = await the.open('claims', { criteria }, files);
      const approval = await the.asked(goalId);
      expect(approval.data).toMatchObject({ tool: 'attempt_completion' });
      await the.decide(approval, decision);
      await completes(goalId);
      expect(the.wasTold(goalId, 'a person denied it')).toBe(decision === 'deny');
      expect(the.wasTold(goalId, 'Refused. What is missing')).toBe(decision === 'approve');
      if (decision === 'deny') expect(existsSync(join(path, 'old'))).toBe(true);
      const claims = await the.world.database`
        SELECT 1 FROM ledger WHERE goal_id = ${goalId} AND phase = 'settled'
          AND tool = 'attempt_completion'`;
      expect(claims.count).toBe(2);
    },
  );

  test('a wait that asks begins once it is approved', async () => {
    const policy = { tools: [{ tool: 'wait_for', decision: 'ask' }] };
    const { goalId, path } = await the.open('waits', { criteria, policy });
    await the.decide(await the.asked(goalId), 'approve');
    await the.world.until(goalId, ({ activity }) => activity.on === 'condition');
    await writeFile(join(path, 'built'), '');
    await completes(goalId);
    expect((await turnsOf(the.world, goalId)).map(({ decision }) => decision?.action)).toEqual([
      'wait',
      'wait',
      'complete',
    ]);
  });

  test('work that asks is handed over once it is approved', async () => {
    const policy = { tools: [{ tool: 'delegate', decision: 'ask' }] };
    const { goalId } = await the.open('hands', { criteria, policy });
    await the.decide(await the.asked(goalId), 'approve');
    await completes(goalId);
    expect(the.wasTold(goalId, 'It is in the second folder.')).toBe(true);
    const begun = await the.world.database`
      SELECT 1 FROM delegate WHERE parent_goal_id = ${goalId}`;
    expect(begun.count).toBe(1);
  });
});

describe('who sets the rules', () => {
  const asAgent = () => createClient({ url: the.world.url, token: TOKENS.agent });

  test('an agent may make them stricter, not looser', async () => {
    const start = (tools: object[]) =>
      asAgent().send<Goal>('POST', '/v1/goals', { objective: 'removes: go', policy: { tools } });
    const loosened = await problemOf(start([{ tool: '*', decision: 'allow' }]));
    expect(loosened).toMatchObject({ code: 'forbidden', field: 'policy.tools.0' });
    const timed = await problemOf(
      asAgent().send('POST', '/v1/goals', {
        objective: 'removes: go',
        policy: { approvalTimeoutSeconds: 5 },
      }),
    );
    expect(timed).toMatchObject({ code: 'forbidden', field: 'policy.approvalTimeoutSeconds' });
  });

  test('a person makes them stricter while the goal waits: what is forbidden by then does not run', async () => {
    const { goalId, path } = await the.open('removes', { criteria }, files);
    const approval = await the.asked(goalId);
    const tools = [{ tool: 'run_command', command: 'rm', decision: 'deny' }];
    const amended = await the.world.client.send<Goal>('PATCH', `/v1/goals/${goalId}`, {
      policy: { tools },
    });
    expect(amended.policy.tools).toEqual(tools);
    await the.decide(approval, 'approve');
    await completes(goalId);
    // Stricter since: what is forbidden now is forbidden.
    expect(await runsIn(path)).toBe(0);
    expect(the.wasTold(goalId, 'the policy forbids it')).toBe(true);
  });
});
