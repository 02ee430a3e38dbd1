import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  assistantMessages,
  goalIdOf,
  reply,
  type Script,
  type ScriptedReply,
} from '../../demo/script.ts';
import type { ModelPort } from '../../src/contract/model.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { claim, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { waitUntil } from './helpers.ts';
import { atFirst, COMPATIBLE, openProviderGoals, timesAsked, usageOf } from './provider-world.ts';

const long = 'x'.repeat(240);
const typed = (type: string, message: string) => ({ type: 'error', error: { type, message } });
const tooLong = reply.error(
  400,
  typed('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
);

/** What goes wrong once, its type, and whether it may have been paid for. */
const passing: Record<string, [ScriptedReply, string, boolean]> = {
  limited: [reply.error(429, undefined, { 'retry-after': '0' }), 'rate_limit', false],
  overloaded: [reply.error(529, typed('overloaded_error', 'Overloaded')), 'overload', false],
  broken: [reply.error(500), 'connection', false],
  mute: [{ hang: 'before' }, 'timeout', true],
  stuck: [{ text: long, hang: 'after_text' }, 'timeout', true],
  torn: [{ text: long, cutAfter: { characters: 96, how: 'socket' } }, 'connection', true],
  ended: [{ text: long, cutAfter: { characters: 96, how: 'end' } }, 'connection', true],
  garbled: [{ text: long, garbage: '{"choices": [' }, 'malformed', true],
  page: [
    reply.error(200, '<html>Welcome</html>', { 'content-type': 'text/html' }),
    'malformed',
    true,
  ],
  crowded: [
    { text: long, streamError: { type: 'overloaded_error', message: 'Overloaded' } },
    'overload',
    true,
  ],
  censored: [{ text: 'So', finishReason: 'content_filter' }, 'content_refused', true],
};

/** What stays wrong, its type, and what the provider says. */
const lasting: Record<string, [ScriptedReply, string, string]> = {
  'wrong-key': [
    reply.error(401, typed('authentication_error', 'invalid x-api-key')),
    'auth',
    'invalid x-api-key',
  ],
  'no-credit': [
    reply.error(400, typed('invalid_request_error', 'Your credit balance is too low')),
    'quota',
    'credit balance',
  ],
  'used-up': [
    reply.error(429, typed('insufficient_quota', 'You exceeded your current quota')),
    'quota',
    'current quota',
  ],
  'too-long': [tooLong, 'context_overflow', 'prompt is too long'],
  refused: [{ text: '', finishReason: 'content_filter' }, 'content_refused', 'content refused'],
  'no-model': [
    reply.error(404, typed('not_found_error', 'model: nobody')),
    'other',
    'model: nobody',
  ],
  'overloaded-on': [
    reply.error(529, typed('overloaded_error', 'Overloaded')),
    'overload',
    'Overloaded',
  ],
  'garbled-on': [{ text: long, garbage: '{"choices": [' }, 'malformed', ''],
};

/** Until a person has resumed. */
const untilResumed =
  (fault: ScriptedReply): Script =>
  (request) =>
    request.messages.some(({ text }) => text.includes('Work goes on after a pause'))
      ? atWork(request)
      : fault;
const atWork: Script = (request) =>
  request.messages.some(({ role }) => role === 'tool') ? claim : write;

const big = Array.from({ length: 400 }, (_, line) => `line ${line} ${'.'.repeat(80)}`).join('\n');
const WINDOW = 200_000;
const overflowed = new Set<string | null>();

/** Reads until it is too much, as for a model with a small window; then it does its work. */
const smallWindow: Script = (request) => {
  const goalId = goalIdOf(request);
  if (request.messages.reduce((sum, { text }) => sum + text.length, 0) > WINDOW) {
    overflowed.add(goalId);
    return tooLong;
  }
  const offset = 1 + assistantMessages(request);
  if (!overflowed.has(goalId)) return reply.call('read_file', { path: 'notes.txt', offset });
  const tools = request.messages.flatMap(({ calls }) => calls.map(({ tool }) => tool));
  return tools.includes('write_file') ? claim : write;
};

/** Pieces of text as they reach the worker. */
const heard: string[] = [];
const listening = (ports: TurnPorts): TurnPorts => ({
  ...ports,
  model: Object.assign(Object.create(ports.model) as ModelPort, {
    call: (request: Parameters<ModelPort['call']>[0]) =>
      ports.model.call({ ...request, onText: (piece) => void heard.push(piece) }),
  }),
});

/** What a goal makes of each fault, whichever of these providers has it. */
export function tellFaults(models: readonly string[]): void {
  let goals: ScriptedGoals;
  beforeAll(async () => {
    goals = await openProviderGoals(
      {
        ...Object.fromEntries(
          Object.entries(passing).map(([name, [fault]]) => [name, atFirst([fault])]),
        ),
        ...Object.fromEntries(
          Object.entries(lasting).map(([name, [fault]]) => [name, untilResumed(fault)]),
        ),
        'small-window': smallWindow,
        empty: atFirst([reply.empty()]),
        stopped: () => ({ text: long, usage: { input: 777, output: 5 }, hang: 'after_text' }),
      },
      { wrapPorts: listening },
    );
  });
  afterAll(() => goals.world.close());

  describe.each(models)('%s', (model) => {
    test('M25 what passes is tried again in the same turn, and costs what it may have cost', async () => {
      const names = Object.keys(passing);
      const started = await Promise.all(names.map((name) => goals.start(name, { model })));
      const ended = await Promise.all(started.map((goalId) => goals.rest(goalId)));
      expect(ended.map(({ status }, index) => [names[index], status])).toEqual(
        names.map((name) => [name, 'complete']),
      );
      for (const [index, name] of names.entries()) {
        const [, kind, isPaid] = passing[name] as [ScriptedReply, string, boolean];
        const { usage, stepSums, steps } = await usageOf(goals, started[index] ?? '');
        const failed = steps.filter(({ state }) => state === 'failed');
        expect([name, failed.map(({ trouble }) => trouble?.split(':')[0])]).toEqual([name, [kind]]);
        expect([name, (failed[0]?.inputTokens ?? 0) > 0]).toEqual([name, isPaid]);
        expect([name, stepSums.tokens, stepSums.costUsd]).toEqual([
          name,
          usage.tokens,
          usage.costUsd,
        ]);
        expect([name, usage.turns]).toEqual([name, 1]);
      }
    });

    test('M25 what lasts pauses with its type and the words of the provider, and a resume goes on', async () => {
      const names = Object.keys(lasting);
      const policy = { continuation: { providerRetries: 0 } };
      const started = await Promise.all(names.map((name) => goals.start(name, { model, policy })));
      const paused = await Promise.all(started.map((goalId) => goals.rest(goalId)));
      for (const [index, name] of names.entries()) {
        const [, kind, words] = lasting[name] as [ScriptedReply, string, string];
        const pause = paused[index]?.pause;
        expect([name, pause?.reason]).toEqual([name, 'provider_error']);
        expect(pause?.message).toContain(words);
        const { steps } = await usageOf(goals, started[index] ?? '');
        expect([name, steps.at(-1)?.trouble?.split(':')[0]]).toEqual([name, kind]);
      }
      await Promise.all(started.map((goalId) => goals.send(goalId, 'resume')));
      const ended = await Promise.all(
        started.map((goalId) => goals.world.until(goalId, ({ status }) => status === 'complete')),
      );
      expect(ended.map(({ status }) => status)).toEqual(names.map(() => 'complete'));
    });

    test('F7 M25 an empty answer is asked for again in the same turn, and paid', async () => {
      const goal = await goals.run('empty', { model });
      expect([goal.status, goal.usage.turns]).toEqual(['complete', 1]);
      const { steps } = await usageOf(goals, goal.goalId);
      expect(steps.map(({ state }) => state)).toEqual(['failed', 'committed', 'committed']);
      expect(steps[0]?.inputTokens).toBeGreaterThan(0);
    });

    test('M25 a request that is too long is sent again shorter, and the record keeps all of it', async () => {
      const workspace = { path: await goals.world.workspace({ 'notes.txt': big }) };
      const goal = await goals.run('small-window', { model, workspace });
      expect(goal.status).toBe('complete');
      const { steps } = await usageOf(goals, goal.goalId);
      const failed = steps.filter(({ state }) => state === 'failed');
      expect(failed.map(({ trouble }) => trouble?.split(':')[0])).toEqual(['context_overflow']);
      expect(failed[0]?.inputTokens).toBe(0);
      const [kept] = await goals.world.database<[{ size: number }]>`
      SELECT sum(length(content->>'text'))::int AS size FROM message
      WHERE goal_id = ${goal.goalId}`;
      expect(kept.size).toBeGreaterThan(WINDOW);
      expect(timesAsked(goals, goal.goalId)).toBe(steps.length);
    });

    test('a call that a person stops costs what the provider told, else its estimate, and says so', async () => {
      heard.length = 0;
      const goalId = await goals.start('stopped', { model });
      await waitUntil(() => heard.join('').includes(long));
      await goals.send(goalId, 'pause');
      const [step] = await waitUntil(async () => {
        const { steps } = await usageOf(goals, goalId);
        return steps[0]?.state === 'failed' ? steps : null;
      });
      expect(step).toMatchObject({ isEstimated: true });
      expect(step?.outputTokens).toBeGreaterThan(5);
      if (model !== COMPATIBLE) expect(step?.inputTokens).toBe(777);
      else expect(step?.inputTokens).toBeGreaterThan(1000);
      const { usage, stepSums } = await usageOf(goals, goalId);
      expect([usage.tokens, usage.steps]).toEqual([stepSums.tokens, stepSums.calls]);
    });
  });
}
