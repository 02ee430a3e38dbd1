import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChatRequest, reply, type Script, sequence } from '../../demo/script.ts';
import type { Criterion } from '../../schema/criteria.ts';
import type { Goal } from '../../schema/goal.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { ANTHROPIC, COMPATIBLE, usageOf } from '../workflows/provider-world.ts';

const pass = reply.text('{"verdict": "pass", "findings": []}');
const soon = reply.error(429, { error: { message: 'Slow down' } }, { 'retry-after': '6' });
const inAnHour = reply.error(429, { error: { message: 'Slow down' } }, { 'retry-after': '3600' });
const wrongKey = reply.error(401, {
  error: { message: 'wrong key', type: 'authentication_error' },
});
const works = sequence([write, claim]);

/** A request without tools is one to the reviewer. */
const isReview = ({ tools }: ChatRequest): boolean => tools.length === 0;
const reviewed =
  (review: Script, work: Script = works): Script =>
  (request) =>
    isReview(request) ? review(request) : work(request);

/** These first; a review names no goal, so every test has a script of its own. */
function inOrder(...replies: readonly ReturnType<typeof reply.text>[]): Script {
  let asked = 0;
  return () => replies[Math.min(asked++, replies.length - 1)] ?? pass;
}

const strict = reply.text('{"verdict": "fail", "findings": ["too short"]}');

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals(
    {
      busy: reviewed(inOrder(soon, soon, pass)),
      yields: reviewed(
        inOrder(soon, pass),
        sequence([
          write,
          reply.text('The answer is written.'),
          reply.text('The answer is written.'),
        ]),
      ),
      second: reviewed(inOrder(pass, soon, pass, pass)),
      paused: reviewed(inOrder(inAnHour, pass)),
      spoken: reviewed(
        inOrder(inAnHour, pass),
        sequence([write, claim, reply.text('It is.'), claim]),
      ),
      resumed: reviewed(inOrder(inAnHour, pass)),
      amended: reviewed((request) => (request.model === 'scripted' ? inAnHour : pass)),
      locked: reviewed(inOrder(wrongKey, pass), sequence([write, claim, claim])),
      mute: reviewed(() => reply.empty(), sequence([write, claim, claim])),
      censored: reviewed(() => ({ text: '{', finishReason: 'content_filter' })),
      replaced: reviewed((request) => (request.model === 'scripted' ? pass : wrongKey)),
      'other-model': reviewed((request) => (request.model === 'scripted' ? wrongKey : pass)),
      late: reviewed(() => inAnHour),
      dear: reviewed(
        () => pass,
        sequence([
          write,
          { ...claim, usage: { input: 9000, output: 200 } },
          reply.text('Written.'),
        ]),
      ),
      strict: reviewed(inOrder(soon, strict), sequence([write, claim, claim, claim])),
    },
    {
      models: (url) => ({ anthropicApiKey: 'test-key-of-anthropic', baseUrls: { anthropic: url } }),
    },
  );
});
afterAll(() => goals.world.close());

const review: Criterion = { kind: 'review', rubric: 'The answer has to be 42.' };
const written: Criterion = { kind: 'file', path: 'answer.txt', matches: '^4' };
const criteria = [written, review];
const isWaiting = ({ activity }: Goal) =>
  activity.state === 'waiting' && activity.on === 'provider';
const isComplete = ({ status }: Goal) => status === 'complete';

/** Calls of the model that works. */
const worked = async (goalId: string) =>
  (await usageOf(goals, goalId)).steps.filter(({ kind }) => kind === 'turn').length;

const reviewsOf = async (goalId: string) => {
  const path = `/v1/goals/${goalId}/ledger?limit=100&tool=check.review`;
  const { items } = await goals.world.client.get<{ items: LedgerRow[] }>(path);
  return items.filter(({ phase }) => phase === 'settled').map(({ outcome }) => outcome);
};

const refusalsOf = async (goalId: string) => {
  const [row] = await goals.world.database<[{ refusals: number }]>`
    SELECT (counters->>'refusalsWithoutBest')::int AS refusals FROM goal
    WHERE goal_id = ${goalId}`;
  return row.refusals;
};

describe('a reviewer whose provider is away', () => {
  test('M25 is waited for as visibly as the model itself, and asked again without another turn', async () => {
    const goalId = await goals.start('busy', { criteria });
    const waiting = await goals.world.until(goalId, isWaiting);
    expect(waiting.activity).toMatchObject({ on: 'provider', actor: 'Provider' });
    expect(waiting.activity.reason).toBe('rate_limit: reviewer compatible/scripted: Slow down');
    const goal = await goals.world.until(goalId, isComplete);
    expect(goal.completion).toMatchObject({ verification: 'verified', source: 'explicit' });
    expect(await worked(goalId)).toBe(2);
    expect(goal.usage.turns).toBe(1);
    expect(await reviewsOf(goalId)).toEqual(['failed', 'failed', 'succeeded']);
    expect(await refusalsOf(goalId)).toBe(0);
    expect(await goals.story(goalId)).toEqual(['start: 4 complete']);
  });

  test('M19 M25 a yield stays a yield over the wait', async () => {
    const goalId = await goals.start('yields', { criteria });
    await goals.world.until(goalId, isWaiting);
    const goal = await goals.world.until(goalId, isComplete);
    expect(goal.completion?.source).toBe('implicit');
    expect(await worked(goalId)).toBe(3);
    expect(goal.usage.turns).toBe(2);
  });

  test('a second one that is away leaves the claim a claim, though the first has answered', async () => {
    const goalId = await goals.start('second', {
      criteria: [written, review, { ...review, rubric: 'It has to be short.' }],
    });
    await goals.world.until(goalId, isWaiting);
    const goal = await goals.world.until(goalId, isComplete);
    expect(goal.completion?.source).toBe('explicit');
    expect(await worked(goalId)).toBe(2);
    const { usage, stepSums } = await usageOf(goals, goalId);
    expect([usage.tokens, usage.costUsd]).toEqual([stepSums.tokens, stepSums.costUsd]);
  });

  test('a pause holds, and a resume goes on with the same claim', async () => {
    const goalId = await goals.start('paused', { criteria });
    await goals.world.until(goalId, isWaiting);
    await goals.send(goalId, 'pause');
    expect((await goals.world.get(goalId)).pause?.reason).toBe('person');
    await goals.send(goalId, 'resume');
    await goals.world.until(goalId, isComplete);
    expect(await worked(goalId)).toBe(2);
  });

  test('a resume asks it at once', async () => {
    const goalId = await goals.start('resumed', { criteria });
    await goals.world.until(goalId, isWaiting);
    await goals.send(goalId, 'resume');
    await goals.world.until(goalId, isComplete);
  });

  test('M20 a message ends the wait and is answered before anything is judged', async () => {
    const goalId = await goals.start('spoken', { criteria });
    await goals.world.until(goalId, isWaiting);
    await goals.send(goalId, 'messages', { text: 'Is it 42?' });
    const goal = await goals.rest(goalId);
    expect(goal.pause?.reason).toBe('message');
    expect(await refusalsOf(goalId)).toBe(0);
  });

  test('another model is asked at once', async () => {
    const goalId = await goals.start('amended', { criteria, model: COMPATIBLE });
    await goals.world.until(goalId, isWaiting);
    await goals.amend(goalId, { model: ANTHROPIC });
    await goals.world.until(goalId, isComplete);
    expect(await worked(goalId)).toBe(2);
  });

  test('the fallback model judges in its place, where it is the model of the goal', async () => {
    const goal = await goals.run('replaced', {
      criteria,
      model: ANTHROPIC,
      fallbackModel: COMPATIBLE,
    });
    expect(goal.status).toBe('complete');
    const { steps } = await usageOf(goals, goal.goalId);
    expect(steps.map(({ model, state }) => `${model} ${state}`)).toEqual([
      `${ANTHROPIC} committed`,
      `${ANTHROPIC} committed`,
      `${ANTHROPIC} failed`,
      `${COMPATIBLE} committed`,
    ]);
  });

  test('one that was named by its own has no fallback', async () => {
    const goal = await goals.run('other-model', {
      criteria: [written, { ...review, model: COMPATIBLE }],
      model: ANTHROPIC,
      fallbackModel: 'anthropic/claude-haiku-4-5',
    });
    expect(goal.pause).toMatchObject({ reason: 'provider_error' });
    expect(goal.pause?.message).toContain(`reviewer ${COMPATIBLE}: wrong key`);
  });

  test.each([
    ['locked', 'wrong key'],
    ['censored', 'content refused'],
  ])(
    'M25 %s: at the end of the policy the goal pauses with its words, refused nothing',
    async (name, words) => {
      const goal = await goals.run(name, { criteria });
      expect(goal.pause).toMatchObject({ reason: 'provider_error' });
      expect(goal.pause?.message).toContain(words);
      expect(await refusalsOf(goal.goalId)).toBe(0);
      expect(await goals.story(goal.goalId)).toEqual(['start: 2 pause']);
    },
  );

  test('M25 after such a pause a resume goes on to the end', async () => {
    const paused = await goals.run('mute', {
      criteria,
      policy: { continuation: { providerRetries: 0 } },
    });
    expect(paused.pause?.message).toContain('an empty answer');
    await goals.amend(paused.goalId, { criteria: [written] });
    await goals.send(paused.goalId, 'resume');
    await goals.world.until(paused.goalId, isComplete);
  });

  test('a deadline that passes meanwhile limits the goal', async () => {
    const deadline = new Date(Date.now() + 6000).toISOString();
    const goal = await goals.run('late', { criteria, budget: { deadline } });
    expect(goal.status).toBe('budget_limited');
    const kinds = (await goals.turns(goal.goalId)).map(({ kind }) => kind);
    expect(kinds).toEqual(['start', 'wrap_up']);
  });

  test('M15 one that the budget no longer pays for is a limit, and refuses nothing', async () => {
    const goal = await goals.run('dear', { criteria, budget: { tokens: 12_000 } });
    expect(goal.status).toBe('budget_limited');
    expect(goal.activity.reason).toMatch(/^tokens: used \d+ .* of 12000$/);
    expect(await goals.story(goal.goalId)).toEqual(['start: 6 limit', 'wrap_up: 6 hold']);
    expect(await refusalsOf(goal.goalId)).toBe(0);
    expect(await reviewsOf(goal.goalId)).toEqual(['failed']);
  });

  test('what it says once it is back counts as ever', async () => {
    const goal = await goals.run('strict', { criteria });
    expect(goal.pause?.reason).toBe('gate_exhausted');
    expect(await refusalsOf(goal.goalId)).toBe(3);
  });
});
