import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import { answerExists, claim, openApprovalWorld, problemOf, write } from './approval-world.ts';
import { waitUntil } from './helpers.ts';

const propose = (command: string) => reply.call('propose_criterion', { kind: 'command', command });
const ask = reply.call('ask_user', { question: 'Shall I go on?' });
const many = Array.from({ length: 6 }, (_, index) => ({
  tool: 'propose_criterion',
  input: { kind: 'command', command: `test -f file-${index}` },
}));

const scripts = {
  proposes: sequence([
    propose('test -f proof.txt'),
    ask,
    write('proof.txt'),
    write('answer.txt'),
    claim(),
  ]),
  'proposes-only': sequence([propose('test -f proof.txt'), ask, write('proof.txt'), claim()]),
  'proposes-too-late': sequence([
    write('proof.txt'),
    propose('test -f proof.txt'),
    ask,
    claim('Proven by what I made up.'),
  ]),
  floods: sequence([reply.calls(many), ask]),
  'proposes-badly': sequence([
    propose('npm test || true'),
    reply.call('propose_criterion', { kind: 'command' }),
    reply.call('propose_criterion', answerExists),
    ask,
  ]),
  claims: sequence([reply.call('list_files', {}), claim('I think so.'), claim('I still do.')]),
  'looks-first': sequence([
    { ...reply.call('list_files', {}), delayMs: 1500 },
    claim('Nothing to do.'),
    write('answer.txt'),
    claim('Written.'),
  ]),
  'asks-first': sequence([ask, write('answer.txt'), claim('Written.')]),
  hello: sequence([reply.text('Hello')]),
};

let the: Awaited<ReturnType<typeof openApprovalWorld>>;
beforeAll(async () => {
  the = await openApprovalWorld(scripts);
});
afterAll(() => the.world.close());

const paused = (goalId: string) => the.world.until(goalId, ({ status }) => status === 'paused');
const answer = async (goalId: string) => {
  const { pause } = await the.world.get(goalId);
  await the.send(goalId, 'answers', { questionId: pause?.questionId, text: 'Yes.' });
};

describe('a criterion that the model proposes', () => {
  test('is added by a person, with a baseline of its own that it must fail before it proves anything', async () => {
    const { goalId } = await the.open('proposes-only', { criteria: [] });
    await paused(goalId);
    const [approval] = await the.approvals(goalId);
    expect(approval).toMatchObject({
      kind: 'criterion',
      data: { criterion: { kind: 'command', command: 'test -f proof.txt' } },
    });
    expect(approval?.question).toContain('test -f proof.txt');
    const added = await the.decide(approval as NonNullable<typeof approval>, 'approve');
    expect(added.status).toBe('paused');
    expect(added.criteria).toMatchObject([
      { criterionId: 'c1', origin: 'proposed', baseline: 'not_run', state: 'unmet' },
    ]);
    await answer(goalId);
    const goal = await the.world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.completion?.verification).toBe('verified');
    expect(goal.criteria[0]).toMatchObject({ baseline: 'unmet', state: 'met' });
    expect(the.wasTold(goalId, 'A person accepted the criterion that you proposed')).toBe(true);
  });

  test('API-68 is accepted as a person changed it: the record has both, the model is told, and what no criterion could be is refused at its field', async () => {
    const { goalId } = await the.open('proposes-only', { criteria: [] });
    await paused(goalId);
    const { approvalId } = await the.asked(goalId);
    const decide = (body: object) =>
      the.send(goalId, `approvals/${approvalId}`, { decision: 'approve', ...body });
    const edited = { kind: 'command', command: 'test -s proof.txt' };
    for (const [criteria, field] of [
      [[{ ...edited, command: 'npm test || true' }], 'criteria.0.command'],
      [[{ ...edited, command: '' }], 'criteria.0.command'],
      [[edited, edited], 'criteria'],
      [[], 'criteria'],
    ] as const)
      expect(await problemOf(decide({ criteria }))).toMatchObject({
        code: 'invalid_request',
        field,
      });
    expect(await problemOf(decide({ criteria: [edited], budget: { turns: 9 } }))).toMatchObject({
      code: 'invalid_request',
    });
    const { revision } = await the.world.get(goalId);
    expect(
      await problemOf(decide({ criteria: [edited], expectedRevision: revision - 1 })),
    ).toMatchObject({ code: 'goal_conflict' });
    const added = await decide({ criteria: [edited], note: 'It has to hold something.' });
    expect(added.criteria).toMatchObject([{ spec: edited, state: 'unmet' }]);
    const [kept] = await the.approvals(goalId, 'all');
    expect(kept).toMatchObject({
      ...{ state: 'approved', note: 'It has to hold something.', accepted: edited },
      data: { criterion: { command: 'test -f proof.txt' } },
    });
    await answer(goalId);
    await the.world.until(goalId, ({ status }) => status === 'complete');
    expect(the.wasTold(goalId, 'A person changed the criterion that you proposed')).toBe(true);
    expect(the.wasTold(goalId, 'It has to hold something.')).toBe(true);
  });

  test('R43 that holds already when it is added is compared with the files at the start', async () => {
    const { goalId } = await the.open('proposes-too-late', { criteria: [] });
    await paused(goalId);
    await the.decide(await the.asked(goalId), 'approve');
    await answer(goalId);
    const goal = await the.world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.completion?.verification).toBe('verified');
    expect(goal.criteria[0]).toMatchObject({ baseline: 'unmet', state: 'met' });
  });

  test('declined is not added, and the model is told by the host', async () => {
    const { goalId } = await the.open('proposes', { criteria: [answerExists] });
    await paused(goalId);
    await the.decide(await the.asked(goalId), 'deny', 'Too much.');
    await answer(goalId);
    const goal = await the.world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.criteria).toHaveLength(1);
    expect(the.wasTold(goalId, 'A person declined the criterion that you proposed')).toBe(true);
    expect(the.wasTold(goalId, 'Too much.')).toBe(true);
  });

  test('nobody decides about is overtaken when the goal is over', async () => {
    const { goalId } = await the.open('proposes', { criteria: [answerExists] });
    await paused(goalId);
    await answer(goalId);
    await the.world.until(goalId, ({ status }) => status === 'complete');
    expect((await the.approvals(goalId, 'all')).map(({ state }) => state)).toEqual(['superseded']);
  });

  test('is one of five at most that are undecided', async () => {
    const { goalId } = await the.open('floods', { criteria: [answerExists] });
    await paused(goalId);
    expect(await the.approvals(goalId)).toHaveLength(5);
    const refused = await the.world.database`
      SELECT body->'receipt'->>'reason' AS reason FROM ledger
      WHERE goal_id = ${goalId} AND tool = 'propose_criterion' AND outcome = 'refused'`;
    expect(refused).toMatchObject([{ reason: expect.stringContaining('5 proposals') }]);
  });

  test('that a start would refuse, or that is one already, is refused with the reason', async () => {
    const { goalId } = await the.open('proposes-badly', { criteria: [answerExists] });
    await paused(goalId);
    expect(await the.approvals(goalId)).toEqual([]);
    const rows = await the.world.database<{ outcome: string; reason: string }[]>`
      SELECT outcome, body->'receipt'->>'reason' AS reason FROM ledger
      WHERE goal_id = ${goalId} AND tool = 'propose_criterion' AND phase = 'settled' ORDER BY seq`;
    expect(rows.map(({ outcome }) => outcome)).toEqual(['refused', 'failed', 'refused']);
    expect(rows[0]?.reason).toContain('proves nothing');
    expect(rows[1]?.reason).toContain('command');
    expect(rows[2]?.reason).toContain('a criterion already');
  });
});

describe('a goal without criteria', () => {
  const scriptsOfProject = { test: 'node -e 0', lint: 'node -e "process.exit(1)"' };
  const files = { 'package.json': JSON.stringify({ scripts: scriptsOfProject }) };

  test('R43 is held to the checks of the project that work now: guards, which prove nothing', async () => {
    const { goalId } = await the.open('claims', {}, files);
    const approval = await the.asked(goalId);
    expect(approval.kind).toBe('completion');
    const goal = await the.world.get(goalId);
    expect(goal.criteria).toMatchObject([
      {
        criterionId: 'c1',
        spec: { kind: 'command', command: 'npm test' },
        origin: 'detected',
        baseline: 'met',
        state: 'met',
      },
    ]);
    expect(await the.eventTypes(goalId)).toContain('criteria.detected');
    await the.send(goalId, 'clear');
  });

  test('R43 and a word of greeting on a green project completes nothing', async () => {
    const { goalId } = await the.open('hello', {}, files);
    const goal = await paused(goalId);
    expect(goal.pause?.reason).toBe('no_progress');
    expect(goal.criteria).toHaveLength(1);
  });

  test('by its own wish leaves everything to a person', async () => {
    const { goalId } = await the.open('claims', { criteria: [] }, files);
    const approval = await waitUntil(async () => (await the.approvals(goalId))[0]);
    expect(approval.kind).toBe('completion');
    expect((await the.world.get(goalId)).criteria).toEqual([]);
    await the.send(goalId, 'clear');
  });
});

describe('criteria that a person adds', () => {
  const amend = (goalId: string, criteria: unknown[]) =>
    the.world.client.send<Goal>('PATCH', `/v1/goals/${goalId}`, { criteria });

  test.each([
    ['command', answerExists],
    ['file', { kind: 'file', path: 'answer.txt', exists: true }],
  ])(
    'to a goal that runs are told by the gate, get a baseline, and prove it (%s)',
    async (_, criterion) => {
      const { goalId } = await the.open('looks-first', { criteria: [] });
      await the.world.until(goalId, ({ usage }) => usage.turns === 1);
      const amended = await amend(goalId, [criterion]);
      expect(amended).toMatchObject({ status: 'active', criteria: [{ baseline: 'not_run' }] });
      const goal = await the.world.until(goalId, ({ status }) => status === 'complete');
      expect(goal.completion).toMatchObject({ verification: 'verified', result: 'Written.' });
      expect(goal.criteria[0]).toMatchObject({ baseline: 'unmet', state: 'met' });
    },
  );

  test('to a goal that is paused count from its next turn on', async () => {
    const { goalId } = await the.open('asks-first', { criteria: [] });
    await paused(goalId);
    expect((await amend(goalId, [answerExists])).status).toBe('paused');
    await answer(goalId);
    const goal = await the.world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.completion?.verification).toBe('verified');
  });

  test('and drops never lend their baseline to another', async () => {
    const { goalId } = await the.open('asks-first', { criteria: [answerExists] });
    await paused(goalId);
    expect((await the.world.get(goalId)).criteria[0]?.baseline).toBe('unmet');
    const holds = { kind: 'command', command: 'true' };
    await amend(goalId, [holds]);
    await answer(goalId);
    const goal = await the.world.until(goalId, ({ pause }) => pause?.reason === 'unverified_claim');
    expect(goal.criteria).toMatchObject([{ criterionId: 'c2', baseline: 'met' }]);
  });
});
