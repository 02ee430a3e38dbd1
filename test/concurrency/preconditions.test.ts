import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import { worldCaller } from '../api/world-calls.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';

const scripts = {
  hangs: sequence([{ text: 'Let me think', hang: 'after_text' }]),
  asks: sequence([reply.call('ask_user', { question: 'Which colour?' })]),
};

let goals: ScriptedGoals;
let call: ReturnType<typeof worldCaller>;
/** Paused on its question: nothing of it moves by itself. */
let asking: { readonly goalId: string; readonly threadId: string; readonly questionId: string };
beforeAll(async () => {
  goals = await openScriptedGoals(scripts);
  call = worldCaller(goals.world);
  const { goalId, threadId, pause } = await goals.run('asks', { threadId: 't-asks' });
  asking = { goalId, threadId, questionId: pause?.questionId ?? '' };
});
afterAll(() => goals.world.close());

const revisionNow = async () => (await goals.world.get(asking.goalId)).revision;
const amend = (body: object, ifMatch?: string) =>
  call(`PATCH /v1/goals/${asking.goalId}`, {
    body,
    ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
  });

/** Every mutation of a goal, as its request line and the least body that it takes. */
const mutations = (): [string, object][] => {
  const line = `/v1/goals/${asking.goalId}`;
  return [
    [`PATCH ${line}`, { objective: 'asks: for nothing' }],
    [`POST ${line}/pause`, {}],
    [`POST ${line}/resume`, {}],
    [`POST ${line}/complete`, { result: 'Done.' }],
    [`POST ${line}/clear`, {}],
    [`POST ${line}/messages`, { text: 'Hello' }],
    [`POST ${line}/answers`, { questionId: asking.questionId, text: 'Red.' }],
    [`DELETE /v1/threads/${asking.threadId}/goal`, {}],
    [
      `PUT /v1/threads/${asking.threadId}/goal`,
      { objective: 'asks: again', replace: true, expectedGoalId: asking.goalId },
    ],
    [
      'POST /v1/goals',
      {
        objective: 'asks: again',
        threadId: asking.threadId,
        replace: true,
        expectedGoalId: asking.goalId,
      },
    ],
  ];
};

describe('a revision that is not the goal’s', () => {
  test.each([
    ['in the past', (revision: number) => revision - 1],
    ['in the future', (revision: number) => revision + 1000],
  ])('M1 %s is a conflict for every mutation, with expected and actual', async (_, of) => {
    const revision = await revisionNow();
    for (const [line, body] of mutations()) {
      const expectedRevision = of(revision);
      const inBody = await call(line, { body: { ...body, expectedRevision } });
      const inHeader = await call(line, { body, headers: { 'if-match': `"${expectedRevision}"` } });
      for (const { body: problem } of [inBody, inHeader]) {
        expect([line, problem]).toEqual([
          line,
          expect.objectContaining({
            status: 409,
            code: 'goal_conflict',
            expectedRevision,
            actualRevision: revision,
            actualGoalId: asking.goalId,
          }),
        ]);
      }
    }
    expect(await revisionNow()).toBe(revision);
  });

  test.each([0, -1, 1.5, '7', null, 1e300])('as %j in the body is refused', async (bad) => {
    const revision = await revisionNow();
    for (const [line, body] of mutations()) {
      const { body: problem } = await call(line, { body: { ...body, expectedRevision: bad } });
      expect([line, problem.code, problem.field]).toEqual([
        line,
        'invalid_request',
        'expectedRevision',
      ]);
    }
    expect(await revisionNow()).toBe(revision);
  });
});

describe('the ETag of a goal', () => {
  test('M1 is its revision, in every answer that holds the goal', async () => {
    const { headers, body } = await call(`GET /v1/goals/${asking.goalId}`);
    expect(headers.etag).toBe(`"${body.revision}"`);
    const ofThread = await call(`GET /v1/threads/${asking.threadId}/goal`);
    expect(ofThread.headers.etag).toBe(headers.etag);
    const amended = await amend({ objective: 'asks: once more' }, String(headers.etag));
    expect([amended.status, amended.headers.etag]).toEqual([200, `"${body.revision + 1}"`]);
  });

  test('M1 is taken in its weak form too, which proxies make of it, and "*" means any', async () => {
    const revision = await revisionNow();
    expect((await amend({ objective: 'asks: weakly' }, `W/"${revision}"`)).status).toBe(200);
    expect((await amend({ objective: 'asks: weakly' }, `W/"${revision}"`)).status).toBe(409);
    expect((await amend({ objective: 'asks: whatever' }, '*')).status).toBe(200);
    const any = await amend({ objective: 'asks: x', expectedRevision: revision }, '*');
    expect(any.body).toMatchObject({ code: 'goal_conflict', expectedRevision: revision });
  });

  test.each(['7', '"x"', '"1", "2"', 'W/7', '""', '"-1"', '"1.5"', `"${'9'.repeat(30)}"`])(
    'that is malformed, %s, is a typed 400 and changes nothing',
    async (malformed) => {
      const revision = await revisionNow();
      for (const [line, body] of mutations()) {
        const { body: problem } = await call(line, { body, headers: { 'if-match': malformed } });
        expect([line, problem.status, problem.code, problem.field]).toEqual([
          line,
          400,
          'invalid_request',
          'If-Match',
        ]);
      }
      expect(await revisionNow()).toBe(revision);
    },
  );

  test('that contradicts expectedRevision is refused', async () => {
    const revision = await revisionNow();
    const refused = await amend(
      { objective: 'x', expectedRevision: revision + 1 },
      `"${revision}"`,
    );
    expect(refused.body).toMatchObject({ status: 400, field: 'If-Match' });
  });
});

describe('a replacement that names a revision', () => {
  test('M1 replaces the goal at that one, and no other', async () => {
    const goalId = await goals.start('hangs', { threadId: 't-slot' });
    await goals.asked(goalId);
    const { revision, workspace } = await goals.world.get(goalId);
    const body = {
      objective: 'asks: instead',
      workspace: { name: workspace.name },
      replace: true,
      expectedGoalId: goalId,
    };
    await goals.amend(goalId, { objective: 'hangs: on' });
    const line = 'PUT /v1/threads/t-slot/goal';
    const refused = await call(line, { body: { ...body, expectedRevision: revision } });
    expect(refused.body).toMatchObject({ code: 'goal_conflict', actualRevision: revision + 1 });
    const taken = await call(line, { body, headers: { 'if-match': `"${revision + 1}"` } });
    expect(taken.status).toBe(201);
    expect((await goals.world.get(goalId)).archivedAt).toBeDefined();
  });

  test('M2 of a goal that is not there is a conflict', async () => {
    const workspace = { path: await goals.world.workspace({}) };
    const body = { objective: 'asks: go', workspace, expectedRevision: 1 };
    const { body: problem } = await call('PUT /v1/threads/t-empty/goal', { body });
    expect(problem).toMatchObject({
      code: 'goal_conflict',
      expectedRevision: 1,
      actualGoalId: null,
      actualRevision: null,
    });
  });
});
