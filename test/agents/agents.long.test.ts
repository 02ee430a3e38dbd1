import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Approval } from '../../schema/approval.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { worldCaller } from '../api/world-calls.ts';
import { answerExists, openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { waitUntil } from '../workflows/helpers.ts';

const program = fileURLToPath(new URL('../support/acp-agent.mjs', import.meta.url));
const repository = fileURLToPath(new URL('../..', import.meta.url));
const node = { command: process.execPath, reads: [repository] };
const agents = {
  scripted: { ...node, args: [program] },
  forgets: { ...node, args: [program, 'forgets'] },
  short: { ...node, args: [program], turnMinutes: 0.03 },
  metered: { ...node, args: [program], reportsUsage: true },
  exits: { ...node, args: [program, 'exits'] },
  other: { ...node, args: [program, 'other'] },
  locked: { ...node, args: [program, 'locked'] },
  careful: { ...node, args: [program], mode: 'careful' },
  wild: { ...node, args: [program], mode: 'wild' },
  keyed: { ...node, args: [program, 'locked'], signIn: 'by-key' },
  lost: { ...node, args: [program, 'locked'], signIn: 'by-luck' },
  gone: { command: 'no-such-agent' },
  unset: { ...node, args: [program], env: { KEY: ['$', '{NO_SUCH_VARIABLE_HERE}'].join('') } },
};
const environment = { GOALKEEPER_AGENTS: JSON.stringify(agents) };

let isLost = false;
/** The end of one prompt is never recorded, as if its worker had died there. */
const losing = (ports: TurnPorts): TurnPorts => ({
  ...ports,
  journal: {
    ...ports.journal,
    settleCall: async (fence, end) => {
      const isIt = end.tool === 'agent_turn' && end.receipt.writes?.includes('lost.txt') === true;
      if (!isIt || isLost) return await ports.journal.settleCall(fence, end);
      isLost = true;
      throw new Error('the worker is gone');
    },
  },
});

describe('goals that an agent of the settings works on', () => {
  let goals: ScriptedGoals;
  beforeAll(async () => {
    goals = await openScriptedGoals({}, { environment, wrapPorts: losing });
  });
  afterAll(() => goals.world.close());

  const start = (name: string, agent = 'scripted', more = {}) =>
    goals.start(name, { agent, criteria: [answerExists], ...more });
  const run = async (...asked: Parameters<typeof start>) => goals.rest(await start(...asked));
  const ledger = async (goalId: string) => {
    const page = `/v1/goals/${goalId}/ledger?limit=200`;
    const { items } = await goals.world.client.get<{ items: LedgerRow[] }>(page);
    return items.toSorted((a, b) => a.seq - b.seq);
  };
  const settled = async (goalId: string) =>
    (await ledger(goalId)).filter(({ phase }) => phase === 'settled');
  const said = async (goalId: string) =>
    (await goals.turns(goalId)).flatMap(({ turn }) => turn).length === 0
      ? []
      : (
          await goals.world.database<{ text: string }[]>`
            SELECT content->>'text' AS text FROM message
            WHERE goal_id = ${goalId} AND voice = 'model' ORDER BY seq`
        ).map(({ text }) => text);
  const inHome = (goalId: string, name: string) =>
    readFile(
      join(goals.world.environment.GOALKEEPER_HOME ?? '', 'agents', goalId, 'home', name),
      'utf8',
    );
  const begun = async (goalId: string) => {
    const { workspace } = await goals.world.get(goalId);
    return await waitUntil(() =>
      readFile(join(workspace.path, 'begun.txt'), 'utf8').then(
        () => true,
        () => false,
      ),
    );
  };

  test('AGT-1 end proven when the gate finds what the agent wrote, without a claim', async () => {
    const goalId = await start('writes');
    const goal = await goals.rest(goalId);
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
    const verified = await goals.world.client.get(`/v1/goals/${goalId}/ledger/verify`);
    expect(verified).toMatchObject({ holds: true });
    expect(goals.world.model.requests).toEqual([]);
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

  test('AGT-3 go on in the session of the turn before, or are told what was said', async () => {
    const known = await run('twice');
    expect(known.status).toBe('complete');
    expect((await said(known.goalId)).at(-1)).toMatch(/^s-1 known/);
    const anew = await run('twice', 'forgets');
    expect((await said(anew.goalId)).at(-1)).toMatch(/^s-2 new/);
    expect(await inHome(anew.goalId, 'prompts')).toContain('You said:\ns-1');
  });

  test('AGT-4 ask the tool policy, and learn in the next turn what it refused', async () => {
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

  test('AGT-20 are judged by the very command that would run: words of a list, scripts of any length', async () => {
    const tools = [
      { tool: 'run_command', command: 'curl', decision: 'deny' },
      { tool: 'run_command', command: 'rm -rf old', decision: 'deny' },
    ];
    const goal = await run('lists', 'scripted', { policy: { tools } });
    expect((await said(goal.goalId))[0]).toBe(
      '/bin/bash,-lc,ls: yes. /bash,-lc,rm -rf old: no. echo,rm -rf old: yes. xx; curl example.org: no. ',
    );
    const refused = (await settled(goal.goalId)).filter(({ outcome }) => outcome === 'refused');
    expect(refused.map(({ receipt }) => receipt?.reason)[0]).toContain(
      "/bin/bash -lc 'rm -rf old'",
    );
  });

  test('AGT-21 work in the mode that the settings name, in every turn', async () => {
    const goal = await run('twice', 'careful');
    expect(goal.status).toBe('complete');
    expect(await inHome(goal.goalId, 'modes')).toBe('careful\ncareful\n');
  });

  test('AGT-23 are signed in by the way that the settings name', async () => {
    expect((await run('twice', 'keyed')).status).toBe('complete');
  });

  test('AGT-25 need no permission for the tools of the goal, which the host judges itself', async () => {
    const tools = [{ tool: '*', decision: 'deny' as const }];
    const { goalId } = await run('owns', 'scripted', { policy: { tools } });
    expect((await said(goalId))[0]).toBe('yes. yes. no. no. ');
  });

  const asked = async (goalId: string) => {
    const [found] = await waitUntil(async () => {
      const page = `/v1/approvals?goalId=${goalId}&state=open`;
      const { items } = await goals.world.client.get<{ items: Approval[] }>(page);
      return items.length > 0 ? items : null;
    });
    return found ?? expect.unreachable();
  };
  const asksAboutRm = {
    policy: { tools: [{ tool: 'run_command', command: 'rm', decision: 'ask' }] },
  };

  test('AGT-26 have the host write, read and run for them, by its rules, and what it saw proves', async () => {
    const command = 'grep -x 42 answer.txt';
    const goalId = await start('hosted', 'scripted', {
      criteria: [{ kind: 'command', command, check: 'receipt' }],
      policy: { tools: [{ tool: 'run_command', command: 'curl *', decision: 'deny' }] },
      budget: { turns: 1 },
    });
    const goal = await goals.rest(goalId);
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
    const verified = await goals.world.client.get(`/v1/goals/${goalId}/ledger/verify`);
    expect(verified).toMatchObject({ holds: true });
  });

  test('AGT-16 wait for a person where a rule asks, over any time, and do once what was allowed', async () => {
    const goalId = await start('permits', 'scripted', asksAboutRm);
    const approval = await asked(goalId);
    expect(JSON.stringify(approval)).toContain('rm -rf x');
    await goals.send(goalId, `approvals/${approval.approvalId}`, { decision: 'approve' });
    expect((await goals.rest(goalId)).status).toBe('complete');
    expect(await said(goalId)).toEqual(['cancelled. ', 'yes. ']);
    expect(await inHome(goalId, 'prompts')).toMatch(/allows it once[\s\S]*- rm -rf x/);
    const rows = (await settled(goalId)).filter(({ tool }) => tool === 'agent_permission');
    expect(rows.map(({ receipt }) => receipt?.policy?.approvalId)).toEqual([
      approval.approvalId,
      approval.approvalId,
    ]);
  });

  test('AGT-27 wait for a person where a rule asks about a terminal, which is run once that is allowed', async () => {
    const goalId = await start('entrusts', 'scripted', asksAboutRm);
    const approval = await asked(goalId);
    expect(JSON.stringify(approval)).toContain('rm -rf x');
    await goals.send(goalId, `approvals/${approval.approvalId}`, { decision: 'approve' });
    expect((await goals.rest(goalId)).status).toBe('complete');
    const rows = (await settled(goalId)).filter(({ tool }) => tool === 'run_command');
    expect(rows.map(({ receipt }) => receipt?.command)).toEqual(['rm -rf x']);
  });

  const asksAboutFiles = { policy: { tools: [{ tool: 'write_file', decision: 'ask' }] } };

  test('AGT-29 wait for a person where a rule asks about a file that their client shall write, which the host writes once that is allowed', async () => {
    const goalId = await start('deposits', 'scripted', asksAboutFiles);
    const approval = await asked(goalId);
    expect(approval.data).toMatchObject({ tool: 'write_file', arguments: { path: 'answer.txt' } });
    expect((await said(goalId))[0]).toContain('there: nothing. A person is asked');
    await goals.send(goalId, `approvals/${approval.approvalId}`, { decision: 'approve' });
    expect(await goals.rest(goalId)).toMatchObject({
      status: 'complete',
      completion: { verification: 'verified', changedFiles: ['answer.txt'] },
    });
    const rows = (await settled(goalId)).filter(({ tool }) => tool === 'write_file');
    expect(rows.map(({ outcome }) => outcome)).toEqual(['succeeded']);
    expect(rows[0]?.receipt).toMatchObject({
      writes: ['answer.txt'],
      policy: { decision: 'ask', approvalId: approval.approvalId },
    });
  });

  test('AGT-29 hear that the host has written such a file, where their turn goes on all the same', async () => {
    const goalId = await start('deposits', 'scripted', {
      ...asksAboutFiles,
      criteria: [answerExists, { kind: 'file', path: 'more.txt', exists: true }],
    });
    const { approvalId } = await asked(goalId);
    await goals.send(goalId, `approvals/${approvalId}`, { decision: 'approve' });
    await waitUntil(async () => (await said(goalId)).length > 1);
    expect((await said(goalId))[1]).toBe('there: 42. ');
    expect(await inHome(goalId, 'prompts')).toMatch(/has done it[\s\S]*- write_file answer.txt/);
  });

  test('AGT-29 hear that a person denied such a file, and nothing was written', async () => {
    const goalId = await start('deposits', 'scripted', asksAboutFiles);
    const { approvalId } = await asked(goalId);
    const note = 'not this one';
    await goals.send(goalId, `approvals/${approvalId}`, { decision: 'deny', note });
    await waitUntil(async () => (await inHome(goalId, 'prompts')).includes(note));
    await goals.send(goalId, 'pause');
    await goals.rest(goalId);
    const rows = (await settled(goalId)).filter(({ tool }) => tool === 'write_file');
    expect(rows[0]).toMatchObject({ outcome: 'refused' });
    expect((await said(goalId)).join('')).not.toContain('there: 42');
  });

  test('AGT-17 are told what a person denied, with their words', async () => {
    const goalId = await start('permits', 'scripted', asksAboutRm);
    const { approvalId } = await asked(goalId);
    await goals.send(goalId, `approvals/${approvalId}`, {
      decision: 'deny',
      note: 'no such thing',
    });
    await waitUntil(async () => (await said(goalId)).length > 1);
    expect(await inHome(goalId, 'prompts')).toMatch(/refused this[\s\S]*no such thing/);
  });

  test('AGT-31 have their plan kept as they told it last; it completes no item and proves nothing', async () => {
    const goalId = await start('plans');
    const goal = await goals.rest(goalId);
    expect(goal).toMatchObject({ status: 'complete', usage: { turns: 2 }, todos: { total: 0 } });
    const plans = (await settled(goalId)).filter(({ tool }) => tool === 'agent.plan');
    expect(plans.map(({ receipt }) => receipt?.origin)).toEqual(['agent', 'agent']);
    const path = `/v1/goals/${goalId}/ledger/${plans[0]?.seq}/output`;
    expect(await goals.world.client.text(path)).toBe(
      '[completed] Look around\n[completed] Write the answer',
    );
    expect(goal.criteria.flatMap(({ receipts = [] }) => receipts)).not.toContain(plans[0]?.seq);
  });

  test('AGT-5 offer the goal tools: an early claim is refused, a later one completes', async () => {
    const goalId = await start('claims');
    const goal = await goals.rest(goalId);
    expect(await goals.story(goalId)).toEqual(['start: 4 refuse', 'nudge: 4 complete']);
    expect(goal).toMatchObject({
      status: 'complete',
      completion: { source: 'explicit', result: 'Written.' },
      todos: { done: 1, total: 1 },
    });
    expect((await said(goalId))[0]).toMatch(/^true/);
  });

  test('AGT-6 put questions to a person, whose answer the next turn has', async () => {
    const goalId = await start('questions');
    const asked = await goals.rest(goalId);
    expect(asked.pause).toMatchObject({ reason: 'question', message: 'Which colour?' });
    const { questionId = '' } = asked.pause ?? {};
    await goals.send(goalId, 'answers', { questionId, text: 'blue' });
    const done = await waitUntil(async () => {
      const now = await goals.world.get(goalId);
      return now.status === 'active' ? false : now.criteria[0]?.state;
    });
    expect(done).toBeDefined();
    expect(await inHome(goalId, 'prompts')).toContain('A person says:\nblue');
  });

  test('AGT-7 end the agent and all that it started when a person pauses', async () => {
    const goalId = await start('deaf');
    await begun(goalId);
    await goals.send(goalId, 'pause');
    const { workspace } = await goals.rest(goalId);
    await goals.world.recorded(goalId);
    const alive = join(workspace.path, 'alive');
    const before = await readFile(alive, 'utf8');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await readFile(alive, 'utf8')).toBe(before);
  });

  test('AGT-8 go on after a pause in the middle, and the agent is told that its end was not seen', async () => {
    const goalId = await start('stalls');
    await begun(goalId);
    await goals.send(goalId, 'pause');
    await goals.rest(goalId);
    await goals.send(goalId, 'resume');
    expect((await goals.rest(goalId)).status).toBe('complete');
    expect((await said(goalId)).at(-1)).toBe('told. ');
  });

  test('AGT-9 go on after the agent died, with what it said on the way', async () => {
    const goalId = await start('dies');
    expect((await goals.rest(goalId)).status).toBe('complete');
    expect((await settled(goalId))[0]).toMatchObject({
      tool: 'agent_turn',
      outcome: 'failed',
      receipt: { reason: expect.stringMatching(/ended before its turn did.*out of luck/) },
    });
    expect(await inHome(goalId, 'prompts')).toContain('was not seen');
  });

  test('AGT-15 repeat nothing blindly after the worker was lost: the same session is told', async () => {
    const goalId = await start('vanishes');
    expect(await goals.rest(goalId)).toMatchObject({ status: 'complete', usage: { turns: 1 } });
    expect(isLost).toBe(true);
    expect(await said(goalId)).toEqual(['told. ']);
    expect(await inHome(goalId, 'sessions')).toBe('s-1\n');
    const turns = (await settled(goalId)).filter(({ tool }) => tool === 'agent_turn');
    expect(turns.map(({ outcome }) => outcome)).toEqual(['unknown', 'succeeded']);
    expect((await ledger(goalId)).filter(({ phase }) => phase === 'started')).toHaveLength(
      (await settled(goalId)).filter(
        ({ receipt }) => receipt?.origin !== 'gate' && receipt?.origin !== 'baseline',
      ).length,
    );
  });

  test('AGT-10 end a turn that takes too long, and pause once that comes again and again', async () => {
    const goal = await run('hangs', 'short', {
      policy: { continuation: { truncatedTurns: 1 } },
    });
    expect(goal.status).toBe('paused');
    const [first] = (await settled(goal.goalId)).filter(({ tool }) => tool === 'agent_turn');
    expect(first?.receipt?.reason).toContain('took longer than');
  });

  test.each([
    ['floods', 'scripted', /more than 32 MB/],
    ['begs', 'scripted', /asked for permission more than/],
    ['writes', 'exits', /ended before it could be asked.*no licence found/],
    ['writes', 'other', /version 99 of the Agent Client Protocol/],
    ['writes', 'locked', /sign in.*by-key/],
    ['writes', 'lost', /no such way/],
    ['writes', 'wild', /no mode "wild".*bold, careful/],
    ['writes', 'gone', /no-such-agent is not on this worker.*resume/],
    ['writes', 'unset', /NO_SUCH_VARIABLE_HERE/],
  ])('AGT-11 pause and say why where the agent %s (%s)', async (name, agent, why) => {
    const goal = await run(name, agent);
    expect(goal.pause?.reason).toBe('provider_error');
    expect(goal.pause?.message).toMatch(why);
  });

  test('AGT-12 charge what the agent tells, and end at a limit of money', async () => {
    const goal = await run('paid', 'metered', { budget: { costUsd: '1' } });
    expect(goal.status).toBe('budget_limited');
    expect(goal.usage.costUsd).toBe('1.5');
  });

  test('AGT-22 charge all tokens that the agent tells, those of its cache too', async () => {
    const { usage } = await run('counts', 'metered');
    expect(usage).toMatchObject({ inputTokens: 4301, cachedInputTokens: 300, outputTokens: 20 });
  });

  test.each([
    [{ agent: 'nobody' }, 'agent', /only builtin, scripted/],
    [{ agent: 'scripted', mode: 'plan' }, 'mode', /tools of its own/],
    [{ agent: 'scripted', budget: { tokens: 100_000 } }, 'budget.tokens', /reportsUsage/],
    [{ agent: 'scripted', budget: { costUsd: '1' } }, 'budget.costUsd', /reportsUsage/],
    [{ agent: 'scripted', textTokens: true }, 'textTokens', /own loop/],
  ])('AGT-13 refuse a start that the agent can not keep: %j', async (asked, field, why) => {
    const { status, body } = await worldCaller(goals.world)('POST /v1/goals', {
      body: {
        objective: 'writes: go',
        workspace: { path: await goals.world.workspace({}) },
        ...asked,
      },
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ field });
    expect(JSON.stringify(body)).toMatch(why);
  });

  test('AGT-14 are started by people alone', async () => {
    const { workspace } = await run('writes');
    const { status, body } = await worldCaller(goals.world)('POST /v1/goals', {
      role: 'agent',
      body: { objective: 'writes: go', workspace: { name: workspace.name }, agent: 'scripted' },
    });
    expect(status).toBe(403);
    expect(body).toMatchObject({ field: 'agent' });
  });
});
