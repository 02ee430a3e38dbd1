import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import { answerExists, claim, openApprovalWorld, problemOf, write } from './approval-world.ts';

const makefileWith = (recipe: string) => `test:\n\t${recipe}\n`;
const original = makefileWith('grep -q right answer.txt');
const loosened = makefileWith('test -e answer.txt');
const loosenedMore = makefileWith('test -e answer.txt || test -d .');
const files = { Makefile: original };
const criteria = [{ kind: 'command', command: 'make test' }];

const scripts = {
  loosens: sequence([write('answer.txt'), write('Makefile', loosened), claim()]),
  restores: sequence([
    write('answer.txt'),
    write('Makefile', loosened),
    claim(),
    write('Makefile', original),
    write('answer.txt', 'right'),
    claim(),
  ]),
  insists: sequence([write('answer.txt'), write('Makefile', loosened), claim()]),
  'loosens-twice': sequence([
    write('answer.txt'),
    write('Makefile', loosened),
    claim(),
    reply.call('run_command', { command: 'rm poison' }),
    write('Makefile', loosenedMore),
    claim(),
  ]),
  'just-claims': sequence([claim('Trust me.')]),
  claims: sequence([reply.call('list_files', {}), claim('I think so.'), claim('I still do.')]),
};

let the: Awaited<ReturnType<typeof openApprovalWorld>>;
beforeAll(async () => {
  the = await openApprovalWorld(scripts);
});
afterAll(() => the.world.close());

describe('a claim whose proof needs a change beyond the scope', () => {
  test('R43 completes as verified once a person accepts the change, without another model call', async () => {
    const { goalId } = await the.open('loosens', { criteria }, files);
    const paused = await the.world.until(goalId, ({ status }) => status === 'paused');
    expect(paused.pause?.reason).toBe('unverified_claim');
    const approval = await the.asked(goalId);
    expect(approval).toMatchObject({ kind: 'basis', approvalId: paused.pause?.approvalId });
    expect(Object.keys(approval.data.changes as object)).toEqual(['Makefile']);
    expect(approval.question).toContain('Makefile');
    const calls = the.modelCalls(goalId);
    await the.decide(approval, 'approve');
    const goal = await the.world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.completion).toMatchObject({
      source: 'explicit',
      verification: 'verified',
      result: 'It is done.',
    });
    expect(the.modelCalls(goalId)).toBe(calls);
    expect(goal.usage.turns).toBe(1);
    const [decided] = await the.approvals(goalId, 'all');
    expect(decided).toMatchObject({ state: 'approved' });
    expect(decided?.decidedBy).toBeTruthy();
  });

  test('C7 goes on when a person declines, is told to undo it, and completes by the work alone', async () => {
    const { goalId } = await the.open('restores', { criteria }, files);
    await the.decide(await the.asked(goalId), 'deny', 'Leave the test alone.');
    const goal = await the.world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.completion?.verification).toBe('verified');
    expect(the.wasTold(goalId, 'Leave the test alone.')).toBe(true);
    expect(the.wasTold(goalId, 'Undo them with edit_file')).toBe(true);
  });

  test('R40 claimed again as it was declined is refused, and ends as gate_exhausted', async () => {
    const { goalId } = await the.open('insists', { criteria }, files);
    await the.decide(await the.asked(goalId), 'deny');
    const goal = await the.world.until(
      goalId,
      ({ status, pause }) => status === 'paused' && pause?.reason === 'gate_exhausted',
    );
    expect(goal.pause?.missing).toEqual(['basis']);
    expect(await the.approvals(goalId)).toEqual([]);
    // A person who spoke since may be asked once more: an honest goal has a way to its end.
    await the.send(goalId, 'resume');
    await the.decide(await the.asked(goalId), 'approve');
    await the.world.until(goalId, ({ status }) => status === 'complete');
  });

  test('a later change that differs from the accepted one is asked about anew', async () => {
    const both = [...criteria, { kind: 'command', command: 'test ! -f poison' }];
    const { goalId, path } = await the.open('loosens-twice', { criteria: both }, files);
    const first = await the.asked(goalId);
    await writeFile(join(path, 'poison'), '');
    await the.decide(first, 'approve');
    const second = await the.asked(goalId);
    expect(second).toMatchObject({ kind: 'basis' });
    expect(second.data.changes).not.toEqual(first.data.changes);
    await the.decide(second, 'approve');
    const goal = await the.world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.completion?.verification).toBe('verified');
  });

  test('is not asked about while a check fails', async () => {
    const both = [...criteria, { kind: 'command', command: 'test -f more.txt' }];
    const { goalId } = await the.open('loosens', { criteria: both }, files);
    const refused = await the.world.until(goalId, ({ status }) => status === 'paused');
    expect(refused.pause?.reason).toBe('gate_exhausted');
    expect(await the.approvals(goalId, 'all')).toEqual([]);
  });
});

describe('a claim that nothing proves', () => {
  test('C7 a person accepts: one completed event; decided twice, the second hears that it is answered', async () => {
    const { goalId } = await the.open('claims', { criteria: [] });
    const approval = await the.asked(goalId);
    expect(approval.kind).toBe('completion');
    const both = await Promise.allSettled([
      the.decide(approval, 'approve'),
      the.decide(approval, 'approve'),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const goal = await the.world.get(goalId);
    expect(goal.completion).toMatchObject({ verification: 'accepted_by_person' });
    const events = await the.eventTypes(goalId);
    expect(events.filter((type) => type === 'goal.completed')).toHaveLength(1);
    expect((await problemOf(the.decide(approval, 'deny'))).code).toBe('already_answered');
  });

  test("C7 a person's feedback: the same goal goes on, and nothing is told to be complete", async () => {
    const { goalId } = await the.open('claims', { criteria: [] });
    const first = await the.asked(goalId);
    await the.decide(first, 'deny', 'Look again.');
    const second = await the.asked(goalId);
    expect(second.approvalId).not.toBe(first.approvalId);
    expect(the.wasTold(goalId, 'Look again.')).toBe(true);
    expect(await the.eventTypes(goalId)).not.toContain('goal.completed');
    // Resumed without a decision: the approval is overtaken, and no longer listed.
    await the.send(goalId, 'resume');
    const third = await the.asked(goalId);
    expect(third.approvalId).not.toBe(second.approvalId);
    const { code, detail } = await problemOf(the.decide(second, 'approve'));
    expect(code).toBe('already_answered');
    expect(detail).toContain('the goal went on without an answer');
    const states = (await the.approvals(goalId, 'all')).map(({ state }) => state);
    expect(states).toEqual(['open', 'superseded', 'denied']);
    await the.send(goalId, 'clear');
    expect(await the.approvals(goalId)).toEqual([]);
  });

  test('R41 not even a receipt, comes to a person at once, not into a loop', async () => {
    const policy = { completion: 'supported' };
    const { goalId } = await the.open('just-claims', { criteria: [], policy });
    const goal = await the.world.until(goalId, ({ status }) => status !== 'active');
    expect(goal.pause?.reason).toBe('unverified_claim');
    expect(goal.usage.turns).toBe(1);
  });

  test('other criteria than those that it was judged by leave it behind', async () => {
    const { goalId } = await the.open('claims', { criteria: [] });
    await the.asked(goalId);
    const amended = await the.world.client.send<{ status: string; pause?: object }>(
      'PATCH',
      `/v1/goals/${goalId}`,
      { criteria: [answerExists] },
    );
    expect(amended.status).toBe('paused');
    expect(amended.pause).not.toHaveProperty('approvalId');
    expect(await the.approvals(goalId)).toEqual([]);
  });
});
