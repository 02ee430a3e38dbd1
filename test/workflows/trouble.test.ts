import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  assistantMessages,
  goalIdOf,
  objectiveOf,
  reply,
  type Script,
  type ScriptedReply,
  sequence,
} from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { turnsOf } from './helpers.ts';

const claim = reply.call('attempt_completion', { result: 'It is written.' });
const write = reply.call('write_file', { path: 'answer.txt', content: '42\n' });
const works = sequence([write, claim]);

/** These first, whatever a goal asks; a retried request may differ in its remaining budget. */
const atFirst = (faults: readonly ScriptedReply[]): Script => {
  const asked = new Map<string | null, number>();
  return (request) => {
    const times = asked.get(goalIdOf(request)) ?? 0;
    asked.set(goalIdOf(request), times + 1);
    return faults[times] ?? works(request);
  };
};

const scripts: Record<string, Script> = {
  busy: atFirst([reply.error(429, undefined, { 'retry-after': '0' }), reply.error(503)]),
  'out-of-keys': () => reply.error(401, { error: { message: 'wrong key' } }),
  waits: atFirst([reply.error(429, undefined, { 'retry-after': '6' })]),
  silent: () => reply.empty(),
  'silent-once': atFirst([reply.empty()]),
  filtered: () => ({ text: '', finishReason: 'content_filter' }),
  clumsy: (request) =>
    reply.call('read_file', { path: `missing-${assistantMessages(request)}.txt` }),
  stubborn: () => reply.call('list_files', {}),
  malformed: () => reply.malformedCall('attempt_completion', '{"result": 1}'),
  asks: () => reply.text('The tests pass. Should I proceed with the deletion?'),
  blocked: () =>
    reply.call('report_blocker', { kind: 'external', blocker: 'There is no network.' }),
  broken: sequence([reply.malformedCall('write_file'), write, claim]),
  talks: () => reply.text('Now I need to look at the files.'),
};

const script: Script = (request) =>
  (scripts[objectiveOf(request).split(':')[0] ?? ''] ?? sequence([reply.text('?')]))(request);

let world: GoalWorld;
beforeAll(async () => {
  world = await openGoalWorld({ script });
});
afterAll(() => world.close());

const criteria = [{ kind: 'file' as const, path: 'answer.txt', exists: true }];

async function rest(name: string, goal: object = {}): Promise<Goal> {
  const path = await world.workspace({});
  const started = await world.start({
    objective: `${name}: go`,
    workspace: { path },
    criteria,
    ...goal,
  });
  return world.until(started.goalId, ({ status, activity }) =>
    status === 'active' ? false : activity.state === 'idle',
  );
}

describe('provider trouble', () => {
  test('M25 rate limits and overload are retried by their own advice and cost nothing', async () => {
    const goal = await rest('busy');
    expect(goal.status).toBe('complete');
    const charged = await world.database<{ input_tokens: number }[]>`
      SELECT input_tokens FROM step WHERE goal_id = ${goal.goalId} AND state = 'failed'`;
    expect(charged.map(({ input_tokens }) => input_tokens)).toEqual([0, 0]);
  });

  test('M25 an error that no retry mends pauses with the words of the provider', async () => {
    const goal = await rest('out-of-keys');
    expect(goal.pause).toMatchObject({ reason: 'provider_error' });
    expect(goal.pause?.message).toContain('wrong key');
    expect(goal.usage.tokens).toBe(0);
  });

  test('a long retry is a durable wait that shows who must act and until when', async () => {
    const path = await world.workspace({});
    const { goalId } = await world.start({ objective: 'waits: go', workspace: { path }, criteria });
    const waiting = await world.until(goalId, ({ activity }) => activity.state === 'waiting');
    expect(waiting.activity).toMatchObject({ on: 'provider', actor: 'Provider' });
    expect(Date.parse(waiting.activity.until ?? '')).toBeGreaterThan(Date.now());
    await world.until(goalId, ({ status }) => status === 'complete');
  });

  test('refused content pauses as a provider error', async () => {
    expect((await rest('filtered')).pause).toMatchObject({ reason: 'provider_error' });
  });
});

describe('a model that breaks the protocol', () => {
  test('F7 C16 is asked again in the same turn, and pauses as protocol_error when it goes on', async () => {
    const goal = await rest('silent');
    expect(goal.pause?.reason).toBe('protocol_error');
    const attempts = await world.database`
      SELECT 1 FROM step WHERE goal_id = ${goal.goalId} AND state = 'failed'`;
    expect(attempts.count).toBe(4);
    expect(goal.usage.turns).toBe(1);
  });

  test('one empty answer costs no turn', async () => {
    const goal = await rest('silent-once');
    expect(goal.status).toBe('complete');
    expect(goal.usage.turns).toBe(1);
  });

  test('F23 malformed arguments run nothing and are told to the model, which goes on', async () => {
    const goal = await rest('broken');
    expect(goal.status).toBe('complete');
    const outcomes = await world.database<{ outcome: string }[]>`
      SELECT outcome FROM ledger
      WHERE goal_id = ${goal.goalId} AND tool = 'write_file' AND phase = 'settled' ORDER BY seq`;
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['failed', 'succeeded']);
  });
});

describe('a turn that leads nowhere', () => {
  test('C12 six tool errors in a row pause with the reason', async () => {
    const goal = await rest('clumsy');
    expect(goal.pause?.reason).toBe('tool_error_cap');
    expect(goal.usage.turns).toBe(1);
  });

  test('the same call with the same result is noted after three times and pauses after six', async () => {
    const goal = await rest('stubborn');
    expect(goal.pause?.reason).toBe('no_progress');
    const notes = await world.database`
      SELECT 1 FROM message WHERE goal_id = ${goal.goalId} AND content->>'text' LIKE '%[host %'`;
    expect(notes.count).toBe(1);
  });

  test('M28 the same malformed lifecycle call twice trips the breaker', async () => {
    const goal = await rest('malformed');
    expect(goal.pause?.reason).toBe('lifecycle_breaker');
  });

  test('F10 a direct question pauses for the person, whatever the score', async () => {
    expect((await rest('asks')).pause?.reason).toBe('question');
  });

  test('R36 a blocker report pauses and keeps its words', async () => {
    const goal = await rest('blocked');
    expect(goal.pause).toMatchObject({ reason: 'blocked' });
    expect(goal.pause?.message).toContain('no network');
  });

  test('C9 F14 turns without tools are nudged by the host, once each, and the third pauses', async () => {
    const goal = await rest('talks');
    expect(goal.pause?.reason).toBe('no_progress');
    const kinds = (await turnsOf(world, goal.goalId)).map(({ kind }) => kind);
    expect(kinds).toEqual(['start', 'nudge', 'nudge']);
    const last = world.model.requests.findLast((asked) => objectiveOf(asked).startsWith('talks'));
    const nudges = last?.messages.filter(({ text }) => text.includes('The goal is not proven yet'));
    expect(nudges?.map(({ role }) => role)).toEqual(['user', 'user']);
  });

  test('F26 with nudges turned off a yield pauses as a question', async () => {
    const goal = await rest('talks', { policy: { continuation: { enabled: false } } });
    expect(goal.pause?.reason).toBe('question');
    expect(goal.usage.turns).toBe(1);
  });
});
