import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { answerExists } from '../support/scripted-goals.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { agentGoals, asksAboutRm } from './agent-goals.ts';

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
  const the = agentGoals(losing);
  const { start, run, ledger, settled, said, inHome, begun, asked } = the;
  const asksAboutFiles = { policy: { tools: [{ tool: 'write_file', decision: 'ask' }] } };

  test('AGT-3 go on in the session of the turn before, or are told what was said', async () => {
    const known = await run('twice');
    expect(known.status).toBe('complete');
    expect((await said(known.goalId)).at(-1)).toMatch(/^s-1 known/);
    const anew = await run('twice', 'forgets');
    expect((await said(anew.goalId)).at(-1)).toMatch(/^s-2 new/);
    expect(await inHome(anew.goalId, 'prompts')).toContain('You said:\ns-1');
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

  test('AGT-27 wait for a person where a rule asks about a terminal, which is run once that is allowed', async () => {
    const goalId = await start('entrusts', 'scripted', asksAboutRm);
    const approval = await asked(goalId);
    expect(JSON.stringify(approval)).toContain('rm -rf x');
    await the.goals.send(goalId, `approvals/${approval.approvalId}`, { decision: 'approve' });
    expect((await the.goals.rest(goalId)).status).toBe('complete');
    const rows = (await settled(goalId)).filter(({ tool }) => tool === 'run_command');
    expect(rows.map(({ receipt }) => receipt?.command)).toEqual(['rm -rf x']);
  });

  test('AGT-29 wait for a person where a rule asks about a file that their client shall write, which the host writes once that is allowed', async () => {
    const goalId = await start('deposits', 'scripted', asksAboutFiles);
    const approval = await asked(goalId);
    expect(approval.data).toMatchObject({ tool: 'write_file', arguments: { path: 'answer.txt' } });
    expect((await said(goalId))[0]).toContain('there: nothing. A person is asked');
    await the.goals.send(goalId, `approvals/${approval.approvalId}`, { decision: 'approve' });
    expect(await the.goals.rest(goalId)).toMatchObject({
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
    await the.goals.send(goalId, `approvals/${approvalId}`, { decision: 'approve' });
    await waitUntil(async () => (await said(goalId)).length > 1);
    expect((await said(goalId))[1]).toBe('there: 42. ');
    expect(await inHome(goalId, 'prompts')).toMatch(/has done it[\s\S]*- write_file answer.txt/);
  });

  test('AGT-29 hear that a person denied such a file, and nothing was written', async () => {
    const goalId = await start('deposits', 'scripted', asksAboutFiles);
    const { approvalId } = await asked(goalId);
    const note = 'not this one';
    await the.goals.send(goalId, `approvals/${approvalId}`, { decision: 'deny', note });
    await waitUntil(async () => (await inHome(goalId, 'prompts')).includes(note));
    await the.goals.send(goalId, 'pause');
    await the.goals.rest(goalId);
    const rows = (await settled(goalId)).filter(({ tool }) => tool === 'write_file');
    expect(rows[0]).toMatchObject({ outcome: 'refused' });
    expect((await said(goalId)).join('')).not.toContain('there: 42');
  });

  test('AGT-17 are told what a person denied, with their words', async () => {
    const goalId = await start('permits', 'scripted', asksAboutRm);
    const { approvalId } = await asked(goalId);
    await the.goals.send(goalId, `approvals/${approvalId}`, {
      decision: 'deny',
      note: 'no such thing',
    });
    await waitUntil(async () => (await said(goalId)).length > 1);
    expect(await inHome(goalId, 'prompts')).toMatch(/refused this[\s\S]*no such thing/);
  });

  test('AGT-31 have their plan kept as they told it last; it completes no item and proves nothing', async () => {
    const goalId = await start('plans');
    const goal = await the.goals.rest(goalId);
    expect(goal).toMatchObject({ status: 'complete', usage: { turns: 2 }, todos: { total: 0 } });
    const plans = (await settled(goalId)).filter(({ tool }) => tool === 'agent.plan');
    expect(plans.map(({ receipt }) => receipt?.origin)).toEqual(['agent', 'agent']);
    const path = `/v1/goals/${goalId}/ledger/${plans[0]?.seq}/output`;
    expect(await the.goals.world.client.text(path)).toBe(
      '[completed] Look around\n[completed] Write the answer',
    );
    expect(goal.criteria.flatMap(({ receipts = [] }) => receipts)).not.toContain(plans[0]?.seq);
  });

  test('AGT-8 go on after a pause in the middle, and the agent is told that its end was not seen', async () => {
    const goalId = await start('stalls');
    await begun(goalId);
    await the.goals.send(goalId, 'pause');
    await the.goals.rest(goalId);
    await the.goals.send(goalId, 'resume');
    expect((await the.goals.rest(goalId)).status).toBe('complete');
    expect((await said(goalId)).at(-1)).toBe('told. ');
  });

  test('AGT-9 go on after the agent died, with what it said on the way', async () => {
    const goalId = await start('dies');
    expect((await the.goals.rest(goalId)).status).toBe('complete');
    expect((await settled(goalId))[0]).toMatchObject({
      tool: 'agent_turn',
      outcome: 'failed',
      receipt: { reason: expect.stringMatching(/ended before its turn did.*out of luck/) },
    });
    expect(await inHome(goalId, 'prompts')).toContain('was not seen');
  });

  test('AGT-15 repeat nothing blindly after the worker was lost: the same session is told', async () => {
    const goalId = await start('vanishes');
    expect(await the.goals.rest(goalId)).toMatchObject({ status: 'complete', usage: { turns: 1 } });
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

  test('AGT-34 that end their turns at once, having done nothing, are let go by the rules on progress', async () => {
    const goal = await run('nothing');
    expect(goal.pause?.reason).toBe('no_progress');
    expect(goal.usage.turns).toBeLessThanOrEqual(4);
    const turns = (await settled(goal.goalId)).filter(({ tool }) => tool === 'agent_turn');
    expect(turns.map(({ outcome }) => outcome)).toEqual(turns.map(() => 'succeeded'));
  });

  test("AGT-35 reach nothing in the service's home, whatever they would do there", async () => {
    const home = the.goals.world.environment.GOALKEEPER_HOME ?? expect.unreachable();
    await writeFile(join(home, 'kept.txt'), 'kept');
    const goalId = await start('vandalises', 'scripted', { objective: `vandalises: ${home}` });
    expect(await the.goals.rest(goalId)).toMatchObject({ status: 'complete' });
    expect(await said(goalId)).toEqual(['not there. ']);
    expect(await readFile(join(home, 'kept.txt'), 'utf8')).toBe('kept');
    expect(await readdir(home)).not.toContain('planted');
    expect(await the.goals.world.client.get(`/v1/goals/${goalId}/ledger/verify`)).toMatchObject({
      holds: true,
    });
  });

  test('AGT-22 charge all tokens that the agent tells, those of its cache too', async () => {
    const { usage } = await run('counts', 'metered');
    expect(usage).toMatchObject({ inputTokens: 4301, cachedInputTokens: 300, outputTokens: 20 });
  });
});
