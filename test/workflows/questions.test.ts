import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { OpenQuestion } from '../../src/contract/reads.ts';
import { answerExists, claim, openApprovalWorld, problemOf, write } from './approval-world.ts';

const ask = (more: object = {}) =>
  reply.call('ask_user', { question: 'Which colour?', options: ['red', 'blue'], ...more });
const finish = [write('answer.txt'), claim()];

const scripts = {
  asks: sequence([ask(), ...finish]),
  'asks-with-default': sequence([ask({ default: 'blue' }), ...finish]),
  'asks-twice': sequence([ask(), ask({ question: 'Which size?' }), ...finish]),
  'asks-on': sequence([ask({ default: 'blue' })]),
  removes: sequence([reply.call('run_command', { command: 'rm -rf src' }), ...finish]),
};

let the: Awaited<ReturnType<typeof openApprovalWorld>>;
beforeAll(async () => {
  the = await openApprovalWorld(scripts);
});
afterAll(() => the.world.close());

const criteria = [answerExists];
const paused = (goalId: string, reason = 'question') =>
  the.world.until(goalId, ({ pause }) => pause?.reason === reason);
const completes = (goalId: string) =>
  the.world.until(goalId, ({ status }) => status === 'complete');
const questionOf = async (goalId: string) =>
  (await the.world.client.get<{ question: OpenQuestion | null }>(`/v1/goals/${goalId}/question`))
    .question;
const answer = (goalId: string, body: object) => the.send(goalId, 'answers', body);

describe('a question with options', () => {
  test('is answered by the number of an option, once', async () => {
    const { goalId } = await the.open('asks', { criteria });
    const { pause } = await paused(goalId);
    const questionId = pause?.questionId;
    expect(await questionOf(goalId)).toMatchObject({ options: ['red', 'blue'], until: null });
    const wrong = await problemOf(answer(goalId, { questionId, option: 3 }));
    expect(wrong).toMatchObject({ code: 'invalid_request', field: 'option' });
    const both = await problemOf(answer(goalId, { questionId, option: 1, text: 'red' }));
    expect(both.code).toBe('invalid_request');
    await answer(goalId, { questionId, option: 2 });
    expect((await problemOf(answer(goalId, { questionId, option: 1 }))).code).toBe(
      'already_answered',
    );
    await completes(goalId);
    expect(the.wasTold(goalId, 'blue')).toBe(true);
  });

  test('is answered in words that are none of them', async () => {
    const { goalId } = await the.open('asks', { criteria });
    const { pause } = await paused(goalId);
    await answer(goalId, { questionId: pause?.questionId, text: 'A mild green.' });
    await completes(goalId);
    expect(the.wasTold(goalId, 'A mild green.')).toBe(true);
  });

  test('is closed once the goal went on without an answer', async () => {
    const { goalId } = await the.open('asks-twice', { criteria });
    const first = await paused(goalId);
    await the.send(goalId, 'resume');
    const second = await the.world.until(
      goalId,
      ({ pause }) =>
        pause?.questionId !== undefined && pause.questionId !== first.pause?.questionId,
    );
    const late = answer(goalId, { questionId: first.pause?.questionId, text: 'red' });
    expect(await problemOf(late)).toMatchObject({ code: 'already_answered' });
    expect((await questionOf(goalId))?.text).toBe('Which size?');
    await answer(goalId, { questionId: second.pause?.questionId, text: 'large' });
    await completes(goalId);
    expect(await questionOf(goalId)).toBeNull();
  });
});

describe('a question with a time', () => {
  const policy = { questionTimeoutSeconds: 1 };

  test('takes its default answer from the clock, and shows that nobody gave it', async () => {
    const { goalId } = await the.open('asks-with-default', { criteria, policy });
    const { pause, activity } = await paused(goalId);
    expect(pause?.until).toBeDefined();
    expect(activity).toMatchObject({ actor: 'You', until: pause?.until });
    expect(await questionOf(goalId)).toMatchObject({ default: 'blue', until: pause?.until });
    await completes(goalId);
    const text = 'Nobody answered your question in time. The default answer holds: blue';
    expect(the.wasTold(goalId, text)).toBe(true);
    const [question] = await the.world.database<{ answer: string; answered_by: string }[]>`
      SELECT answer, answered_by FROM question WHERE goal_id = ${goalId}`;
    expect(question).toEqual({ answer: 'blue', answered_by: 'Clock' });
    expect(await the.eventTypes(goalId)).toContain('question.expired');
    const late = answer(goalId, { questionId: pause?.questionId, text: 'red' });
    expect((await problemOf(late)).status).toBe(409);
  });

  test('uses the default of whoever started the goal where the model names none', async () => {
    const given = { ...policy, questionDefault: 'Decide for yourself.' };
    const { goalId } = await the.open('asks', { criteria, policy: given });
    await completes(goalId);
    expect(the.wasTold(goalId, 'Decide for yourself.')).toBe(true);
  });

  test('waits for a person where the goal has no time, or the question no default', async () => {
    const timeless = await the.open('asks-with-default', { criteria });
    const undecided = await the.open('asks', { criteria, policy });
    for (const { goalId } of [timeless, undecided]) {
      const { pause } = await paused(goalId);
      expect(pause).not.toHaveProperty('until');
      await the.send(goalId, 'clear');
    }
  });

  test('R41 a model that only asks ends at a person, not in circles', async () => {
    const continuation = { turnsWithoutProgress: 2 };
    const { goalId } = await the.open('asks-on', { criteria, policy: { ...policy, continuation } });
    const goal = await the.world.until(
      goalId,
      ({ pause }) => pause?.reason === 'question' && pause.until === undefined,
    );
    expect(goal.usage.turns).toBe(2);
  });

  test('an answer in time stops the clock', async () => {
    const long = { questionTimeoutSeconds: 3600 };
    const { goalId } = await the.open('asks-with-default', { criteria, policy: long });
    const { pause } = await paused(goalId);
    await answer(goalId, { questionId: pause?.questionId, option: 1 });
    await completes(goalId);
    expect(await the.eventTypes(goalId)).not.toContain('question.expired');
  });
});

describe('an approval with a time', () => {
  test('counts as denied by the clock, and the goal goes on', async () => {
    const policy = { approvalTimeoutSeconds: 1 };
    const { goalId } = await the.open('removes', { criteria, policy });
    const waiting = await the.world.until(goalId, ({ activity }) => activity.on === 'approval');
    expect(waiting.activity.until).toBeDefined();
    await completes(goalId);
    const [approval] = await the.approvals(goalId, 'all');
    expect(approval).toMatchObject({ state: 'denied', decidedBy: 'Clock' });
    expect(the.wasTold(goalId, 'nobody decided in time')).toBe(true);
    if (approval === undefined) throw new Error('nobody was asked');
    expect((await problemOf(the.decide(approval, 'approve'))).code).toBe('already_answered');
  });

  test('is changed by a person while nobody is asked', async () => {
    const { goalId } = await the.open('asks', { criteria });
    await paused(goalId);
    const amended = await the.world.client.send<Goal>('PATCH', `/v1/goals/${goalId}`, {
      policy: { approvalTimeoutSeconds: 60, questionTimeoutSeconds: null },
    });
    expect(amended.policy).toMatchObject({ approvalTimeoutSeconds: 60 });
    await the.send(goalId, 'clear');
  });
});
