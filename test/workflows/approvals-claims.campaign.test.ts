import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import { answerExists, claim, openApprovalWorld, problemOf, write } from './approval-world.ts';

const question = { kind: 'approval', question: 'Is the answer the right one?' } as const;
const clean = { kind: 'command', command: 'test -f answer.txt && ! test -f poison' } as const;
const plan = reply.call('todo_write', {
  todos: [{ id: 'T1', content: 'Ask around', status: 'in_progress' }],
});
const byHand = (result: string) =>
  reply.call('complete_step', {
    step: 'T1',
    result,
    evidence: [{ kind: 'manual', summary: 'I asked three people.' }],
  });
const byFiles = reply.call('complete_step', {
  step: 'T1',
  result: 'It is in the file.',
  evidence: [{ kind: 'files', summary: 'The answer.', paths: ['answer.txt'] }],
});
const cure = reply.call('run_command', { command: 'rm -f poison' });

const scripts = {
  'writes-and-claims': sequence([write('answer.txt'), claim()]),
  // The first claim is put to a person, the one after the cure needs them anew.
  cures: sequence([write('answer.txt'), claim(), cure, claim('Cured.')]),
  'cures-again': sequence([
    write('answer.txt'),
    claim(),
    ...Array.from({ length: 10 }, () => [cure, claim('Cured again.')]).flat(),
  ]),
  improves: sequence([write('answer.txt', '41\n'), claim(), write('answer.txt', '42\n'), claim()]),
  'says-it': sequence([plan, write('answer.txt'), byHand('They agree.'), claim()]),
  'says-it-then-shows': sequence([
    plan,
    write('answer.txt'),
    byHand('They agree.'),
    claim(),
    byFiles,
    claim('Now it is shown.'),
  ]),
};

let the: Awaited<ReturnType<typeof openApprovalWorld>>;
beforeAll(async () => {
  the = await openApprovalWorld(scripts);
});
afterAll(() => the.world.close());

describe('a criterion that a person approves', () => {
  test('C15 waits for the person when all else holds, gives the workspace back, and completes at their word', async () => {
    const { goalId } = await the.open('writes-and-claims', { criteria: [answerExists, question] });
    const approval = await the.asked(goalId);
    expect(approval).toMatchObject({ kind: 'approval', question: question.question });
    expect(approval.data).toMatchObject({
      subject: 'c2',
      result: 'It is done.',
      changedFiles: ['answer.txt'],
    });
    const waiting = await the.world.get(goalId);
    expect(waiting.status).toBe('active');
    expect(waiting.activity).toMatchObject({ state: 'waiting', on: 'approval', actor: 'You' });
    expect(waiting.activity.until).toBeUndefined();
    expect(await the.holdsLease(goalId)).toBe(false);
    const calls = the.modelCalls(goalId);
    await the.decide(approval, 'approve');
    const goal = await the.world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.completion).toMatchObject({ verification: 'verified', result: 'It is done.' });
    expect(goal.criteria.map(({ state }) => state)).toEqual(['met', 'met']);
    expect(the.modelCalls(goalId)).toBe(calls);
    expect((await problemOf(the.decide(approval, 'approve'))).code).toBe('already_answered');
  });

  test('alone it completes as accepted by a person, who is asked once', async () => {
    const { goalId } = await the.open('writes-and-claims', { criteria: [question] });
    await the.decide(await the.asked(goalId), 'approve');
    const goal = await the.world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.completion?.verification).toBe('accepted_by_person');
    expect(await the.approvals(goalId, 'all')).toHaveLength(1);
  });

  test('denied with a note leads on with that note, and is asked again once something was written', async () => {
    const { goalId } = await the.open('improves', { criteria: [answerExists, question] });
    const first = await the.asked(goalId);
    await the.decide(first, 'deny', 'It should be 42.');
    const second = await the.asked(goalId);
    expect(second.approvalId).not.toBe(first.approvalId);
    expect(the.wasTold(goalId, 'It should be 42.')).toBe(true);
    await the.decide(second, 'approve');
    await the.world.until(goalId, ({ status }) => status === 'complete');
  });

  test('denied and claimed again unchanged is refused, not asked again', async () => {
    const { goalId } = await the.open('writes-and-claims', { criteria: [answerExists, question] });
    await the.decide(await the.asked(goalId), 'deny', 'No.');
    const goal = await the.world.until(goalId, ({ status }) => status === 'paused');
    expect(goal.pause).toMatchObject({ reason: 'gate_exhausted', missing: ['c2'] });
    expect(await the.approvals(goalId, 'all')).toHaveLength(1);
  });

  test('R39 an approval that a later write makes stale passes nothing: the person is asked anew', async () => {
    const { goalId, path } = await the.open('cures', { criteria: [clean, question] });
    const first = await the.asked(goalId);
    await writeFile(join(path, 'poison'), '');
    await the.decide(first, 'approve');
    const second = await the.asked(goalId);
    expect(second.approvalId).not.toBe(first.approvalId);
    expect((await the.world.get(goalId)).criteria[1]?.state).toBe('stale');
    await the.decide(second, 'approve');
    const goal = await the.world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.completion).toMatchObject({ verification: 'verified', result: 'Cured.' });
  });

  test('R34 writes after every approval do not ask without end', async () => {
    const { goalId, path } = await the.open('cures-again', { criteria: [clean, question] });
    let asked = 0;
    for (;;) {
      const goal = await the.world.until(
        goalId,
        ({ status, activity }) => status === 'paused' || activity.on === 'approval',
      );
      if (goal.status === 'paused') {
        expect(goal.pause?.reason).toBe('gate_exhausted');
        break;
      }
      asked += 1;
      expect(asked).toBeLessThan(8);
      await writeFile(join(path, 'poison'), '');
      await the.decide(await the.asked(goalId), 'approve');
    }
    expect(asked).toBeGreaterThan(1);
    await rm(join(path, 'poison'), { force: true });
  });

  test('a message or a pause overtakes it, and the next claim asks again', async () => {
    const { goalId } = await the.open('writes-and-claims', { criteria: [answerExists, question] });
    const first = await the.asked(goalId);
    await the.send(goalId, 'pause');
    expect(await the.approvals(goalId)).toEqual([]);
    expect((await problemOf(the.decide(first, 'approve'))).code).toBe('already_answered');
    await the.send(goalId, 'resume');
    const second = await the.asked(goalId);
    expect(second.approvalId).not.toBe(first.approvalId);
    await the.send(goalId, 'complete', { result: 'I looked myself.' });
    expect(await the.approvals(goalId)).toEqual([]);
  });

  test('amended away while it is waited for, the goal goes on without it', async () => {
    const { goalId } = await the.open('writes-and-claims', { criteria: [answerExists, question] });
    await the.asked(goalId);
    await the.world.client.send('PATCH', `/v1/goals/${goalId}`, {
      criteria: [answerExists, { kind: 'command', command: 'test -s answer.txt' }],
    });
    const goal = await the.world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.completion?.verification).toBe('verified');
    // Added when its file was there already: the start counts; its id was never used before.
    expect(goal.criteria[1]).toMatchObject({ criterionId: 'c3', baseline: 'unmet', state: 'met' });
    expect((await the.approvals(goalId, 'all')).map(({ state }) => state)).toEqual(['superseded']);
  });

  test('only people decide', async () => {
    const { goalId } = await the.open('writes-and-claims', { criteria: [answerExists, question] });
    const { approvalId } = await the.asked(goalId);
    const answer = await fetch(`${the.world.url}/v1/goals/${goalId}/approvals/${approvalId}`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer test-agent-token-00000',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ decision: 'approve' }),
    });
    expect(answer.status).toBe(403);
    expect(await the.approvals(goalId)).toHaveLength(1);
    await the.send(goalId, 'clear');
  });
});

describe('a todo item that only manual evidence backs', () => {
  test('R5 R41 is allowed, unverified, and waits at the claim for a person who accepts it', async () => {
    const { goalId } = await the.open('says-it', { criteria: [answerExists] });
    const approval = await the.asked(goalId);
    expect(approval).toMatchObject({
      kind: 'manual',
      data: {
        subject: 'T1',
        content: 'Ask around',
        result: 'They agree.',
        summary: 'I asked three people.',
      },
    });
    expect((await the.world.get(goalId)).status).toBe('active');
    await the.decide(approval, 'approve');
    const goal = await the.world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.completion?.verification).toBe('verified');
    const { items } = await the.world.client.get<{ items: { acceptedBy?: string }[] }>(
      `/v1/goals/${goalId}/todos`,
    );
    expect(items[0]?.acceptedBy).toBeTruthy();
  });

  test('R5 declined is open again and has to be shown', async () => {
    const { goalId } = await the.open('says-it-then-shows', { criteria: [answerExists] });
    await the.decide(await the.asked(goalId), 'deny', 'Show me.');
    const goal = await the.world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.completion?.result).toBe('Now it is shown.');
    expect(the.wasTold(goalId, 'the item is open again')).toBe(true);
  });

  test('beside a question both are asked at once, and the goal goes on with the last answer', async () => {
    const { goalId } = await the.open('says-it', { criteria: [answerExists, question] });
    await the.asked(goalId);
    const both = await the.approvals(goalId);
    expect(both.map(({ kind }) => kind).sort()).toEqual(['approval', 'manual']);
    const [one, other] = both as [(typeof both)[0], (typeof both)[0]];
    const after = await the.decide(one, 'approve');
    expect(after.activity).toMatchObject({ state: 'waiting', on: 'approval' });
    await the.decide(other, 'approve');
    await the.world.until(goalId, ({ status }) => status === 'complete');
  });

  test('where nothing proves the goal anyway, one decision is enough', async () => {
    const { goalId } = await the.open('says-it', { criteria: [] });
    const approval = await the.asked(goalId);
    expect(approval.kind).toBe('completion');
    await the.decide(approval, 'approve');
    await the.world.until(goalId, ({ status }) => status === 'complete');
  });
});
