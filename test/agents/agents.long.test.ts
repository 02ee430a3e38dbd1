import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TodoList } from '../../schema/todo.ts';
import { worldCaller } from '../api/world-calls.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { agentGoals, asksAboutRm } from './agent-goals.ts';

describe('goals that an agent of the settings works on', () => {
  const the = agentGoals();
  const { start, run, settled, said, inHome, begun, asked } = the;

  test('AGT-1 end proven when the gate finds what the agent wrote, without a claim', async () => {
    const goalId = await start('writes');
    const goal = await the.goals.rest(goalId);
    expect(goal).toMatchObject({
      status: 'complete',
      agent: 'scripted',
      completion: { verification: 'verified', source: 'implicit' },
      usage: { turns: 1, tokens: 0, costUsd: '0' },
    });
    expect(await said(goalId)).toEqual(['I write the answer.']);
    const rows = await settled(goalId);
    expect(rows.find(({ tool }) => tool === 'agent.edit')?.receipt).toMatchObject({
      origin: 'agent',
    });
    expect(rows.find(({ tool }) => tool === 'agent_turn')?.receipt).toMatchObject({
      writes: ['answer.txt'],
    });
    expect(rows.some(({ tool }) => tool === 'agent.think')).toBe(true);
    const verified = await the.goals.world.client.get(`/v1/goals/${goalId}/ledger/verify`);
    expect(verified).toMatchObject({ holds: true });
    expect(the.goals.world.model.requests).toEqual([]);
  });

  test('AGT-2 believe nothing that the agent says of itself', async () => {
    const goal = await run('lies', 'scripted', { budget: { turns: 3 } });
    expect(goal.status).not.toBe('complete');
    expect(goal.completion).toBeUndefined();
    expect(goal.criteria[0]?.state).not.toBe('met');
    const rows = await settled(goal.goalId);
    const own = rows.filter(({ tool }) => tool.startsWith('agent.'));
    expect(own.length).toBeGreaterThan(0);
    expect(own.every(({ receipt }) => receipt?.origin === 'agent')).toBe(true);
    for (const { receipt } of own)
      expect(Object.keys(receipt ?? {})).not.toEqual(
        expect.arrayContaining(['command', 'exitCode', 'writes', 'hashes']),
      );
  });

  test('AGT-4 ask the tool policy, and learn in the next turn what it refused', {
    tags: 'campaign',
  }, async () => {
    const tools = [
      { tool: 'run_command', command: 'curl', decision: 'deny' },
      { tool: 'run_command', command: 'rm', decision: 'deny' },
    ];
    const goal = await run('asks', 'scripted', { policy: { tools } });
    expect((await said(goal.goalId))[0]).toMatch(
      /ls: yes\. curl example\.org: no\. rm -rf x: no\./,
    );
    const refused = (await settled(goal.goalId)).filter(({ outcome }) => outcome === 'refused');
    expect(refused[0]?.receipt).toMatchObject({ origin: 'agent', policy: { decision: 'deny' } });
    expect(await inHome(goal.goalId, 'prompts')).toMatch(/policy refused this[\s\S]*curl example/);
  });

  test('AGT-26 have the host write, read and run for them, by its rules, and what it saw proves', {
    tags: 'campaign',
  }, async () => {
    const command = 'grep -x 42 answer.txt';
    const goalId = await start('hosted', 'scripted', {
      criteria: [{ kind: 'command', command, check: 'receipt' }],
      policy: { tools: [{ tool: 'run_command', command: 'curl *', decision: 'deny' }] },
      budget: { turns: 1 },
    });
    const goal = await the.goals.rest(goalId);
    const [told = '[]'] = await said(goalId);
    expect(JSON.parse(told)).toEqual([
      '42\n',
      'refused',
      '0 42',
      '0 42',
      expect.stringContaining('the policy forbids it'),
      'string',
    ]);
    const rows = await settled(goalId);
    const own = rows.filter(({ tool }) => ['write_file', 'run_command'].includes(tool));
    expect(own.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['write_file', 'succeeded'],
      ['run_command', 'succeeded'],
      ['run_command', 'succeeded'],
      ['run_command', 'refused'],
      ['run_command', 'failed'],
    ]);
    for (const { receipt } of own) expect(receipt?.origin).not.toBe('agent');
    const [criterion] = goal.criteria;
    expect(criterion).toMatchObject({ state: 'met', reason: 'shown by a receipt' });
    const cited = rows.filter(({ seq }) => criterion?.receipts?.includes(seq));
    expect(cited.map(({ receipt }) => receipt?.command)).toEqual([command]);
    const verified = await the.goals.world.client.get(`/v1/goals/${goalId}/ledger/verify`);
    expect(verified).toMatchObject({ holds: true });
  });

  test('AGT-16 wait for a person where a rule asks, over any time, and do once what was allowed', async () => {
    const goalId = await start('permits', 'scripted', asksAboutRm);
    const approval = await asked(goalId);
    expect(JSON.stringify(approval)).toContain('rm -rf x');
    await the.goals.send(goalId, `approvals/${approval.approvalId}`, { decision: 'approve' });
    expect((await the.goals.rest(goalId)).status).toBe('complete');
    expect(await said(goalId)).toEqual(['cancelled. ', 'yes. ']);
    expect(await inHome(goalId, 'prompts')).toMatch(/allows it once[\s\S]*- rm -rf x/);
    const rows = (await settled(goalId)).filter(({ tool }) => tool === 'agent_permission');
    expect(rows.map(({ receipt }) => receipt?.policy?.approvalId)).toEqual([
      approval.approvalId,
      approval.approvalId,
    ]);
  });

  test('AGT-5 offer the goal tools: an early claim is refused, a later one completes', async () => {
    const goalId = await start('claims');
    const goal = await the.goals.rest(goalId);
    expect(await the.goals.story(goalId)).toEqual(['start: 4 refuse', 'nudge: 4 complete']);
    expect(goal).toMatchObject({
      status: 'complete',
      completion: { source: 'explicit', result: 'Written.' },
      todos: { done: 1, total: 1 },
    });
    expect((await said(goalId))[0]).toMatch(/^true/);
  });

  test('AGT-32 have the host run and read what they cite, once they are told that it saw nothing of theirs', {
    tags: 'campaign',
  }, async () => {
    const { tools } = asksAboutRm.policy;
    const deny = { tool: 'run_command', command: 'curl *', decision: 'deny' };
    const path = await the.goals.world.workspace({ 'notes.md': 'Be right.\n' });
    const more = { policy: { tools: [...tools, deny] }, workspace: { path } };
    const goalId = await start('signs', 'scripted', more);
    const approval = await asked(goalId);
    expect(JSON.stringify(approval)).toContain('rm -rf x');
    await the.goals.send(goalId, `approvals/${approval.approvalId}`, { decision: 'approve' });
    const goal = await the.goals.rest(goalId);
    expect(goal).toMatchObject({
      status: 'complete',
      completion: { source: 'explicit', verification: 'verified' },
      todos: { done: 2, total: 2 },
      usage: { turns: 2 },
    });
    const [told = '[]'] = await said(goalId);
    const notSeen = expect.stringMatching(/tools of your own the host did not see.*run_command/);
    expect(JSON.parse(told)).toEqual([
      notSeen,
      expect.stringContaining('Be right.'),
      expect.stringContaining('1. [x] Look at the notes'),
      notSeen,
      expect.stringContaining('the policy forbids it'),
      expect.stringContaining('timeoutSeconds'),
      expect.stringContaining('exited 0'),
      expect.stringContaining('Every item is completed.'),
    ]);
    const rows = await settled(goalId);
    const list = await the.goals.world.client.get<TodoList>(`/v1/goals/${goalId}/todos`);
    const cited = list.items.flatMap(({ receipts }) => receipts);
    const seen = rows.filter(({ seq }) => cited.includes(seq));
    expect(seen.map(({ tool, receipt }) => [tool, receipt?.origin])).toEqual([
      ['read_file', undefined],
      ['run_command', undefined],
    ]);
    const ran = rows.filter(({ tool }) => tool === 'run_command');
    expect(ran.map(({ outcome, receipt }) => [receipt?.command, outcome])).toEqual([
      [undefined, 'refused'],
      ['grep -x 42 answer.txt', 'succeeded'],
      ['rm -rf x', 'succeeded'],
    ]);
  });

  test('AGT-6 put questions to a person, whose answer the next turn has', {
    tags: 'campaign',
  }, async () => {
    const goalId = await start('questions');
    const asked = await the.goals.rest(goalId);
    expect(asked.pause).toMatchObject({ reason: 'question', message: 'Which colour?' });
    const { questionId = '' } = asked.pause ?? {};
    await the.goals.send(goalId, 'answers', { questionId, text: 'blue' });
    const done = await waitUntil(async () => {
      const now = await the.goals.world.get(goalId);
      return now.status === 'active' ? false : now.criteria[0]?.state;
    });
    expect(done).toBeDefined();
    expect(await inHome(goalId, 'prompts')).toContain('A person says:\nblue');
  });

  test('AGT-7 end the agent and all that it started when a person pauses', async () => {
    const goalId = await start('deaf');
    await begun(goalId);
    await the.goals.send(goalId, 'pause');
    const { workspace } = await the.goals.rest(goalId);
    await the.goals.world.recorded(goalId);
    const alive = join(workspace.path, 'alive');
    const before = await readFile(alive, 'utf8');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await readFile(alive, 'utf8')).toBe(before);
  });

  test('AGT-12 charge what the agent tells, and end at a limit of money', async () => {
    const goal = await run('paid', 'metered', { budget: { costUsd: '1' } });
    expect(goal.status).toBe('budget_limited');
    expect(goal.usage.costUsd).toBe('1.5');
  });

  test.each([
    [{ agent: 'nobody' }, 'agent', /only builtin, scripted/],
    [{ agent: 'scripted', mode: 'plan' }, 'mode', /tools of its own/],
    [{ agent: 'scripted', budget: { tokens: 100_000 } }, 'budget.tokens', /reportsUsage/],
    [{ agent: 'scripted', budget: { costUsd: '1' } }, 'budget.costUsd', /reportsUsage/],
    [{ agent: 'scripted', textTokens: true }, 'textTokens', /own loop/],
  ])('AGT-13 refuse a start that the agent can not keep: %j', async (asked, field, why) => {
    const { status, body } = await worldCaller(the.goals.world)('POST /v1/goals', {
      body: {
        objective: 'writes: go',
        workspace: { path: await the.goals.world.workspace({}) },
        ...asked,
      },
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ field });
    expect(JSON.stringify(body)).toMatch(why);
  });

  test('AGT-14 are started by people alone', async () => {
    const { workspace } = await run('writes');
    const { status, body } = await worldCaller(the.goals.world)('POST /v1/goals', {
      role: 'agent',
      body: { objective: 'writes: go', workspace: { name: workspace.name }, agent: 'scripted' },
    });
    expect(status).toBe(403);
    expect(body).toMatchObject({ field: 'agent' });
  });
});
