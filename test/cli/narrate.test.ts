import { describe, expect, test } from 'vitest';
import type { Call, Turn } from '../../schema/turn.ts';
import type { ProgressEvent } from '../../src/cli/progress.ts';
import { plain } from '../../src/cli/terminal.ts';
import { heardWords } from '../../src/cli/watch/heard-words.ts';
import { narrate } from '../../src/cli/watch/narrate.ts';
import { plainLines } from '../../src/cli/watch/plain-lines.ts';
import { plainProgress } from '../../src/cli/watch/plain-progress.ts';
import type { Told } from '../../src/cli/watch/told.ts';
import { whyInOutput } from '../../src/cli/watch/why-failed.ts';
import { GOAL_ID, goalThat, type Recorded, toldClient } from './told-goal.ts';

const at = '2026-01-01T10:20:30.000Z';

const callOf = (change: Partial<Call>): Call =>
  ({
    ...{ callId: 'c1', turn: 1, step: 1, tool: 'run_command', arguments: { command: 'npm test' } },
    ...{ startedSeq: 6, settledSeq: 7, startedAt: at, settledAt: at, outcome: 'failed' },
    receipt: { command: 'npm test', exitCode: 1, durationMs: 18_200, outputBytes: 20 },
    hasOutput: true,
    ...change,
  }) as unknown as Call;

const turnOf = (turn: number, change: Partial<Turn> = {}): Turn =>
  ({
    ...{ turn, kind: 'nudge', state: 'settled', startedAt: at, settledAt: at, compactions: [] },
    messages: [],
    decision: {
      ...{ action: 'continue', sentence: 'Two checks are missing', missing: [] },
      usage: { costUsd: String(turn * 0.25) },
    },
    ...change,
  }) as unknown as Turn;

const said = (text: string) => ({ seq: 1, voice: 'model', text, calls: [] });
const event = (type: string, data: object): ProgressEvent => ({ type, data, at });
const opened = (turn: number) => event('turn.opened', { turn, kind: 'nudge' });
const settled = (callId: string, data: object = {}) =>
  event('call.settled', { turn: 1, callId, tool: 'run_command', outcome: 'failed', ...data });

async function story(events: readonly ProgressEvent[], record: Recorded): Promise<string[]> {
  const { client } = toldClient([], [goalThat({})], record);
  const lines: string[] = [];
  const tell = (told: Told) => void lines.push(...plainLines(GOAL_ID, told));
  const narrator = narrate(client, GOAL_ID, {
    ...{ tell, goal: () => null, mostTurns: Number.POSITIVE_INFINITY },
  });
  for (const one of events) narrator.hear(one);
  await narrator.told();
  return lines.map((text) => text.replace(`10:20:30Z ${GOAL_ID} `, ''));
}

describe('the story of a goal', () => {
  test('TERM-10 tells a failed command with its exit code, its receipt and why it failed', async () => {
    const output = 'ok 1\n✖ repeats a key: expected 409, received 200\n  at orders.test.ts:188\n';
    const lines = await story([settled('c1', { exitCode: 1 })], { calls: [callOf({})], output });
    expect(lines).toEqual([
      '1 run    "npm test" exit=1 18.2s #7',
      '1 fail   ok 1',
      '1 fail   ✖ repeats a key: expected 409, received 200',
      '1 fail   at orders.test.ts:188',
    ]);
  });

  test('TERM-11 tells the path of an edit and how many lines it adds and takes away', async () => {
    const edits = [{ oldText: 'a\nb\n', newText: 'a\nc\nd\n' }];
    const call = callOf({
      ...{ tool: 'edit_file', outcome: 'succeeded', hasOutput: false },
      arguments: { path: 'src/orders.ts', edits },
      receipt: { writes: ['src/orders.ts'] },
    });
    const done = settled('c1', { tool: 'edit_file', outcome: 'succeeded' });
    expect(await story([done], { calls: [call] })).toEqual(['1 edit   src/orders.ts +2 -1 #7']);
  });

  test('TERM-12 tells calls, words and the end of a turn in the order of time, with its own cost', async () => {
    const turns = [turnOf(1), turnOf(2, { messages: [said('I look.\nThen I act.')] })];
    const call = callOf({ turn: 2, outcome: 'succeeded', receipt: { reads: ['a'] } as never });
    const lines = await story(
      [
        opened(2),
        event('message.added', { turn: 2, step: 1, voice: 'model' }),
        settled('c1', { turn: 2, tool: 'read_file', outcome: 'succeeded' }),
        event('turn.settled', { turn: 2, action: 'continue', sentence: 'Two checks are missing' }),
      ],
      { calls: [{ ...call, tool: 'read_file', arguments: { path: 'a' } }], turns },
    );
    expect(lines).toEqual([
      '2 turn   nudge',
      '2 say    I look.',
      '2 say    Then I act.',
      '2 read   a #7',
      '2 ends   Two checks are missing (I look.) cost=$0.2500',
    ]);
  });

  test('TERM-13 a call that the record does not have is told by its event', async () => {
    expect(await story([settled('c9', { exitCode: 2 })], {})).toEqual(['1 run    exit=2']);
  });

  test('TERM-13 a call that a person declined is told with what it was asked for', async () => {
    const call = callOf({ arguments: null, outcome: 'refused', hasOutput: false });
    const declined = { ...call, receipt: { reason: 'a person denied it' } } as Call;
    const asked = { callId: 'c1', tool: 'run_command', input: '{"command":"rm -rf a"}' };
    const turns = [turnOf(1, { messages: [{ ...said(''), calls: [asked] }] })];
    const lines = await story([settled('c1', { outcome: 'refused' })], {
      calls: [declined],
      turns,
    });
    expect(lines).toEqual(['1 run    "rm -rf a" refused #7', '1 fail   a person denied it']);
  });

  test('a status is told when it changes, and a wait each time that it is another one', async () => {
    const changed = (status: string, activity: object = {}) =>
      event('goal.changed', { status, activity });
    const waits = { state: 'waiting', on: 'provider', actor: 'Provider', reason: 'busy' };
    const lines = await story(
      [
        ...[changed('active'), changed('active', waits), changed('active', waits)],
        ...[changed('active'), changed('paused'), changed('paused')],
      ],
      {},
    );
    expect(lines).toEqual([
      '- goal   goal is active, waits for provider: busy',
      '- goal   goal is paused',
    ]);
  });

  test('TERM-14 of a goal that is at work for long a screen tells the newest turns', async () => {
    const told: Told[] = [];
    const { client } = toldClient([], [goalThat({})]);
    const narrator = narrate(client, GOAL_ID, {
      ...{ tell: (one: Told) => void told.push(one), goal: () => null, mostTurns: 2 },
    });
    for (const turn of [1, 2, 3, 4, 5]) narrator.hear(opened(turn));
    narrator.caughtUp(goalThat({}));
    await narrator.told();
    expect(told.map(({ kind, turn }) => [kind, turn])).toEqual([
      ['goal', null],
      ['turn', 4],
      ['turn', 5],
    ]);
    expect(told[0]).toMatchObject({ before: 3 });
  });
});

describe('the words of a model', () => {
  const piece = (start: number, text: string, more = {}) => ({
    ...{ turn: 1, step: 1, attempt: 1, start, text },
    ...more,
  });

  test('TERM-15 are told line by line as they stream, each once, and the record tells the rest', () => {
    const words = heardWords();
    expect(words.hear(piece(0, 'One li'))).toBeNull();
    expect(words.open()).toBe('One li');
    expect(words.hear(piece(6, 'ne.\nTwo'))).toMatchObject({ lines: ['One line.'], before: 0 });
    expect(words.hear(piece(0, 'One line.\nTwo li'))).toBeNull();
    expect(words.ended(1, 1, 'One line.\nTwo lines.')).toMatchObject({
      ...{ lines: ['Two lines.'], before: 1, isWhole: true },
    });
    expect(words.hear(piece(13, 'late'))).toBeNull();
  });

  test('TERM-16 a gap is filled by the record, and an answer that is sent again is told anew', () => {
    const words = heardWords();
    expect(words.hear(piece(0, 'a\n'))?.lines).toEqual(['a']);
    expect(words.hear(piece(9, 'z\n'))).toBeNull();
    const again = words.hear(piece(0, 'b\n', { attempt: 2 }));
    expect(again).toMatchObject({ lines: ['b'], isAgain: true });
    expect(words.ended(1, 1, 'b\nc')?.lines).toEqual(['c']);
  });
});

describe('why a command failed', () => {
  test('TERM-17 is the first test that failed with what follows it, else the last five lines', () => {
    const passes = Array.from({ length: 30 }, (_, index) => `✔ passes ${index}`);
    const failing = ['✖ adds (2ms)', '  Expected 3', '  Received 4', ...passes];
    expect(whyInOutput([...passes, ...failing].join('\n'))).toEqual([
      '✖ adds (2ms)',
      'Expected 3',
      'Received 4',
    ]);
    const lines = ['a', 'b', 'c', 'd', 'e', 'f', ''];
    expect(whyInOutput(lines.join('\n'))).toEqual(['b', 'c', 'd', 'e', 'f']);
  });

  test('TERM-18 holds nothing that steers a terminal', () => {
    const [first] = whyInOutput('\u001b[2J\u001b]0;owned\u0007\u001b[31mred\u001b[0m\n');
    expect(first).toBe('red');
  });
});

test('TERM-19 a log tells that a long command began', async () => {
  const lines: string[] = [];
  const startedAt = new Date().toISOString();
  const running = callOf({ outcome: null, settledSeq: null, startedAt });
  const { client } = toldClient([], [goalThat({})], { calls: [running] });
  const err = (text: string) => void lines.push(text);
  const progress = plainProgress(client, GOAL_ID, { err, paint: plain });
  progress.hear(event('call.started', { turn: 1, callId: 'c1', tool: 'run_command' }));
  await expect
    .poll(() => lines.join(), { timeout: 5000 })
    .toContain('run    "npm test" started #6');
  progress.close();
});

test('TERM-90 a log tells that a model is silent, in the words of the screen, behind what happened before', async () => {
  const lines: string[] = [];
  const { client } = toldClient([], [goalThat({})]);
  const err = (text: string) => void lines.push(text);
  const progress = plainProgress(client, GOAL_ID, { err, paint: plain });
  const asked = (secondsAgo: number) => ({
    ...event('step.started', { turn: 2, step: 1 }),
    at: new Date(Date.now() - 1000 * secondsAgo).toISOString(),
  });
  const heard = () => lines.filter((text) => text.includes('no word of'));
  progress.hear(asked(90));
  progress.hear(event('step.committed', { turn: 2 }));
  progress.hear(asked(20));
  progress.caughtUp(goalThat({}));
  await progress.told();
  expect(heard()).toEqual([]);
  progress.hear(asked(291));
  await expect
    .poll(heard, { timeout: 5000 })
    .toEqual([
      expect.stringMatching(
        /Z g-0123456789abcdef 2 model {2}no word of openai\/gpt-test for 4m 51s$/,
      ),
    ]);
  progress.close();
});
