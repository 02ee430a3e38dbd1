import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, type Script, sequence } from '../../demo/script.ts';
import type { Approval } from '../../schema/approval.ts';
import type { Goal } from '../../schema/goal.ts';
import { claim, openApprovalWorld, problemOf, write } from './approval-world.ts';

const files = { 'answer.txt': '41\n' };
const answered = { kind: 'command', command: 'grep -qx 42 answer.txt' } as const;
const guard = { kind: 'command', command: 'test -f answer.txt' } as const;
const approved = { kind: 'approval', question: 'Do you like it?' } as const;
const criteria = [answered, guard, approved];

const set = (requirements: object[], remove?: string[]) =>
  reply.call('set_requirements', { requirements, ...(remove && { remove }) });
const split = set([
  { text: 'The answer is 42', criteria: ['c1'] },
  { text: 'The file stays there', criteria: ['c2'] },
  { text: 'It reads well', criteria: ['c3'] },
  { text: 'It is fast' },
]);
const answer = write('answer.txt', '42\n');
const say = reply.text('I look at it.');

const scripts: Record<string, Script> = {
  splits: sequence([split, answer, claim()]),
  narrows: sequence([
    split,
    set([{ requirementId: 'R4', text: 'It exists', criteria: ['c1'] }], ['R2']),
    set([{ requirementId: 'R4', text: 'It is there', criteria: ['c1'] }]),
    reply.call('ask_user', { question: 'Is that fine?' }),
    set([{ requirementId: 'R4', text: 'It exists', criteria: ['c1'] }], ['R2']),
    say,
  ]),
  adds: sequence([split, set([{ text: 'It is short' }]), say]),
  strange: sequence([
    set([{ text: 'It is fast', criteria: ['c9'] }]),
    set([{ requirementId: 'R1', text: 'It is fast' }]),
    set([{ text: 'Twice' }, { text: ' twice' }]),
    set(Array.from({ length: 41 }, (_, index) => ({ text: `No. ${index}` }))),
    say,
  ]),
  covers: sequence([
    set([
      { text: 'The answer is 42', criteria: ['c1'] },
      { text: 'The file stays', criteria: ['c2'] },
    ]),
    answer,
    claim(),
    claim('It is done indeed.'),
  ]),
  forgets: sequence([
    answer,
    claim(),
    set([{ text: 'The answer is 42', criteria: ['c1'] }]),
    claim(),
  ]),
};

let the: Awaited<ReturnType<typeof openApprovalWorld>>;
beforeAll(async () => {
  the = await openApprovalWorld(scripts);
});
afterAll(() => the.world.close());

const completed = (goalId: string) =>
  the.world.until(goalId, ({ status }) => status === 'complete');
const paused = (goalId: string) => the.world.until(goalId, ({ status }) => status === 'paused');
const goalNow = (goalId: string) => the.world.client.get<Goal>(`/v1/goals/${goalId}`);
const amend = (goalId: string, body: object) =>
  the.world.client.send<{ requirements: object[] }>('PATCH', `/v1/goals/${goalId}`, body);
const ofKind = async (goalId: string, kind: Approval['kind']) =>
  (await the.approvals(goalId, 'all')).filter((one) => one.kind === kind);

describe('the requirements of an objective', () => {
  test('REQ-1 the completion states who checked them: a guard checks none', async () => {
    const { goalId } = await the.open('splits', { criteria }, files);
    await the.decide(await the.asked(goalId), 'approve');
    const { completion, requirements } = await completed(goalId);
    expect(completion?.coverage).toMatchObject({
      total: 4,
      host: 1,
      person: 1,
      nobody: 2,
      statement: '4 requirements: 1 checked by the host, 1 by a person, 2 by nobody',
    });
    expect(requirements).toMatchObject([
      { requirementId: 'R1', by: 'host', setBy: 'model' },
      { requirementId: 'R2', by: 'nobody' },
      { requirementId: 'R3', by: 'person' },
      { requirementId: 'R4', by: 'nobody' },
    ]);
    expect(the.wasTold(goalId, '- R1: The answer is 42 (checked by c1)')).toBe(true);
    expect(the.wasTold(goalId, '- R4: It is fast (checked by nobody)')).toBe(true);
    expect(the.wasTold(goalId, 'It reads well (checked by c3)')).toBe(true);
  });

  test('REQ-2 the model changes and removes none by itself: a person decides, once', async () => {
    const { goalId } = await the.open('narrows', { criteria }, files);
    const asked = await the.asked(goalId);
    expect(asked).toMatchObject({ kind: 'requirement_change' });
    expect(asked.question).toContain('remove R2 "The file stays there" (checked by c2)');
    expect(asked.question).toContain('R4 "It is fast" (checked by nobody) becomes "It exists"');
    await paused(goalId);
    expect(await ofKind(goalId, 'requirement_change')).toHaveLength(1);
    expect(the.wasTold(goalId, 'has not decided about your last change')).toBe(true);
    await the.decide(asked, 'deny', 'I want all of it.');
    const { questionId } = (await goalNow(goalId)).pause ?? {};
    await the.send(goalId, 'answers', { questionId, text: 'Go on.' });
    const goal = await the.world.until(
      goalId,
      ({ usage, status }) => usage.turns >= 2 && status === 'paused',
    );
    expect(goal.requirements).toMatchObject([
      {},
      { requirementId: 'R2' },
      {},
      { text: 'It is fast' },
    ]);
    expect(the.wasTold(goalId, 'I want all of it.')).toBe(true);
    expect(the.wasTold(goalId, 'a person declined this very change')).toBe(true);
  });

  test('REQ-3 what a person accepts of the proposed changes holds', async () => {
    const { goalId } = await the.open('narrows', { criteria }, files);
    await the.decide(await the.asked(goalId), 'approve');
    const goal = await goalNow(goalId);
    expect(goal.requirements?.map(({ requirementId, text }) => [requirementId, text])).toEqual([
      ['R1', 'The answer is 42'],
      ['R3', 'It reads well'],
      ['R4', 'It exists'],
    ]);
    expect(goal.requirements?.[2]).toMatchObject({ setBy: 'person', criteria: ['c1'] });
  });

  test('REQ-4 the model adds without asking', async () => {
    const { goalId } = await the.open('adds', { criteria }, files);
    const { requirements } = await paused(goalId);
    expect(requirements?.at(-1)).toMatchObject({ requirementId: 'R5', text: 'It is short' });
    expect(await the.approvals(goalId, 'all')).toEqual([]);
  });

  test('REQ-5 refuses unknown criteria, unknown ids, doubles and floods', async () => {
    const { goalId } = await the.open('strange', { criteria }, files);
    expect((await paused(goalId)).requirements).toBeUndefined();
    for (const why of ['there is no criterion c9', 'there is no requirement R1', 'there already'])
      expect(the.wasTold(goalId, why)).toBe(true);
    expect(the.wasTold(goalId, 'The arguments of set_requirements are wrong')).toBe(true);
  });

  test('REQ-6 a person gives them at the start, rewords, binds and removes them; ids are kept for good', async () => {
    const requirements = [{ text: 'The answer is 42', criteria: ['c1'] }, { text: 'It is fast' }];
    const { goalId } = await the.open('narrow', { criteria, requirements }, files);
    expect((await goalNow(goalId)).requirements).toMatchObject([
      { requirementId: 'R1', setBy: 'person' },
      { requirementId: 'R2', setBy: 'person' },
    ]);
    const change = [
      { text: 'It is small' },
      { requirementId: 'R1', text: 'It is 42', criteria: [] },
    ];
    const edited = await amend(goalId, { requirements: change, removeRequirements: ['R2'] });
    expect(edited.requirements).toMatchObject([
      { requirementId: 'R1', text: 'It is 42', criteria: [] },
      { requirementId: 'R3', text: 'It is small' },
    ]);
    const problem = await problemOf(amend(goalId, { removeRequirements: ['R2'] }));
    expect(problem).toMatchObject({ code: 'invalid_request', field: 'removeRequirements.0' });
  });

  test('REQ-7 one that is bound to a criterion that is gone counts as checked by nobody', async () => {
    const { goalId } = await the.open('splits', { criteria }, files);
    await the.asked(goalId);
    await amend(goalId, { criteria: [guard] });
    const { requirements } = await goalNow(goalId);
    expect(requirements).toMatchObject([
      { requirementId: 'R1', criteria: ['c1'], by: 'nobody' },
      {},
      { requirementId: 'R3', by: 'nobody' },
      {},
    ]);
  });

  test('REQ-8 with coverage "all" a person is asked about what nothing checks, and the grant goes to the gate', async () => {
    const goal = { criteria: [answered, guard], policy: { coverage: 'all' } };
    const { goalId } = await the.open('covers', goal, files);
    const asked = await the.asked(goalId);
    expect(asked).toMatchObject({ kind: 'requirement', data: { subject: 'R2' } });
    expect(asked.question).toBe('Nothing checks R2: "The file stays". Is it met?');
    const calls = the.modelCalls(goalId);
    await the.decide(asked, 'approve');
    const { completion } = await completed(goalId);
    expect(completion).toMatchObject({
      verification: 'verified',
      coverage: { host: 1, person: 1 },
    });
    expect(the.modelCalls(goalId)).toBe(calls);
  });

  test('REQ-9 one that a person does not take as met keeps the goal from its end', async () => {
    const goal = { criteria: [answered, guard], policy: { coverage: 'all' } };
    const { goalId } = await the.open('covers', goal, files);
    await the.decide(await the.asked(goalId), 'deny', 'It moved.');
    const again = await the.world.until(
      goalId,
      ({ usage, status }) => usage.turns >= 2 && status !== 'active',
    );
    expect(again.status).not.toBe('complete');
    expect(the.wasTold(goalId, 'does not take R2')).toBe(true);
  });

  test('REQ-10 with coverage "all" an objective that was not split is no end', async () => {
    const goal = { criteria: [answered], policy: { coverage: 'all' } };
    const { goalId } = await the.open('forgets', goal, files);
    const { completion } = await completed(goalId);
    expect(the.wasTold(goalId, 'call set_requirements')).toBe(true);
    // REQ-12: named when the work was done, so it may fit what was done.
    expect(completion?.coverage?.statement).toBe(
      '1 requirement: 1 checked by the host; 1 named by the model after its first write',
    );
  });

  test('REQ-11 a person who completes the goal by hand checked what the host did not', async () => {
    const { goalId } = await the.open('adds', { criteria }, files);
    await paused(goalId);
    const goal = await the.send(goalId, 'complete', { result: 'Done by hand.' });
    expect(goal.completion?.coverage?.statement).toBe('5 requirements: 5 checked by a person');
  });
});
