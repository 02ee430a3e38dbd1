import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { ModelCall } from '../../schema/model-call.ts';
import type { Call, Turn } from '../../schema/turn.ts';
import type { Client } from '../../src/cli/client.ts';
import { failureOf } from '../../src/cli/failure.ts';
import { type Look, lookOf } from '../../src/cli/screen/look.ts';
import { paintIn } from '../../src/cli/terminal.ts';
import {
  type Both,
  comparedSections,
  comparedTexts,
  comparedTurns,
} from '../../src/cli/turn/compared-view.ts';
import { type ReadTurn, readTurn } from '../../src/cli/turn/read-turn.ts';
import { sectionsOf } from '../../src/cli/turn/request-text.ts';
import { turnView } from '../../src/cli/turn/turn-view.ts';
import { GOAL_ID } from './told-goal.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 10, 20, second)).toISOString();

const turnOf = (turn: number, text: string, change: Partial<Turn> = {}): Turn => ({
  ...{ turn, kind: 'nudge', state: 'settled', startedAt: at(1), settledAt: at(31) },
  ...{ compactions: [], decision: null },
  messages: [
    { seq: 1, voice: 'person', text: 'Mind the fixtures.', calls: [] },
    {
      ...{ seq: 2, voice: 'model', text },
      calls: [{ callId: 'c-2', tool: 'run_command', input: '{"command":"npm test"}' }],
    },
  ],
  ...change,
});

const callOf = (callId: string, command: string, exitCode: number): Call => ({
  ...{ callId, turn: 4, step: 1, tool: 'run_command', effect: 'write', arguments: { command } },
  ...{ startedSeq: 6, settledSeq: 7, startedAt: at(2), settledAt: at(6), hash: '', previous: '' },
  ...{ outcome: exitCode === 0 ? 'succeeded' : 'failed', hasOutput: true },
  receipt: { command, exitCode, durationMs: 4000 },
});

const modelCall: ModelCall = {
  ...{ turn: 4, kind: 'turn', step: 1, attempt: 1, state: 'committed', model: 'some/model' },
  ...{ inputTokens: 1000, cachedInputTokens: 250, outputTokens: 40, costUsd: '0.01' },
  ...{ isEstimated: false, pricesVersion: null, estimatedInput: 1100, hasRequest: true },
  ...{ finishReason: 'stop', startedAt: at(1), endedAt: at(7), firstTokenMs: 800 },
};

const readOf = (turn: number, text = 'I run the tests.', change: Partial<ReadTurn> = {}) => ({
  ...{ turn: turnOf(turn, text), before: null, modelCalls: [modelCall] },
  calls: [callOf('c-2', 'npm test', 1), callOf('host-1', 'npm run lint', 0)],
  ...change,
});

/** Without what `paintIn` adds: whatever else steers a terminal stays. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');
const uncoloured = (text: string): string => text.replaceAll(COLOUR, '');

const why = new Map([['c-2', ['✖ adds', 'expected 3']]]);
const file = (look: Look): Look => ({ ...look, isFile: true });

describe('one turn', () => {
  test('TERM-47 is told in order of time: words and whose they are, calls with why they failed, who was asked', () => {
    expect(turnView(readOf(4), why, lookOf(100)).map((text) => text.trimEnd())).toEqual([
      expect.stringMatching(/^ {3}4 {2}\d\d:\d\d {4}Ran npm test +30 s$/),
      '     a person: Mind the fixtures.',
      '     I run the tests.',
      expect.stringMatching(/^ {3}✖ run +npm test +exit 1 +4\.0 s {2}#7$/),
      '            │ ✖ adds',
      '            │ expected 3',
      expect.stringMatching(/^ {5}run +npm run lint +exit 0 +4\.0 s {2}#7$/),
      expect.stringMatching(/^ +nudge$/),
      '',
      'model calls',
      expect.stringMatching(
        /^ {3}1 {2}Call 1 {2}\d\d:\d\d:\d\d {2}some\/model +1\.0k in, 25 % cached, 40 out, 6\.0 s, \$0\.01$/,
      ),
    ]);
  });

  test('TERM-48 no line of one turn, or of two, is wider than the terminal, whatever a model writes', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.constantFrom(
        '\u001b[2J\u001b]0;title\u0007gone',
        '\u001b]8;;http://evil.example\u001b\\click\u001b]8;;\u001b\\',
        '\u202egnp.exe\u0000\u009b31m',
        '漢字'.repeat(90),
        'a\tb\r\nc\u0008'.repeat(30),
      ),
    );
    fc.assert(
      fc.property(
        hostile,
        fc.integer({ min: 60, max: 240 }),
        fc.boolean(),
        (text, width, ascii) => {
          const look = lookOf(width, paintIn(true), ascii);
          const read = readOf(4, text, { calls: [callOf('c-2', text, 1)] });
          const reasons = new Map([['c-2', [text]]]);
          const answer = {
            text,
            reasoning: '',
            calls: [{ callId: text, tool: text, input: text }],
          };
          const sections = sectionsOf({ call: modelCall, request: null, answer }, 'whole');
          const lines = [
            ...turnView(read, reasons, look),
            ...comparedTurns([read, readOf(5)], [reasons, new Map()], look),
            ...(width < 100 ? [] : comparedSections(['a', 'b'], [sections, []], look)),
          ];
          for (const line of lines) {
            expect(stringWidth(line)).toBeLessThanOrEqual(width);
            const plain = uncoloured(line);
            expect(plain).not.toMatch(/[\p{Control}\p{Bidi_Control}]/u);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  test.each([
    [9, 4, 'has no turn 9; the nearest is 4'],
    [0, 1, 'has no turn 0; the nearest is 1'],
  ])(
    'TERM-49 turn %i is refused where it does not exist, and turn %i is named',
    async (asked, nearest, words) => {
      const { what, field, json } = await refusalOf(asked, [turnOf(4, ''), turnOf(3, '')]);
      expect([what, field]).toEqual([expect.stringContaining(words), 'turn']);
      expect(json).toMatchObject({ code: 'not_found', field: 'turn', nearest });
    },
  );

  test('TERM-49 a goal without a turn says so', async () => {
    const { what, json } = await refusalOf(1, []);
    expect(what).toContain('has no turn yet');
    expect(json).toMatchObject({ nearest: null });
  });
});

async function refusalOf(asked: number, turns: readonly Turn[]) {
  const client = {
    async get<Answer>(path: string) {
      const before = Number(new URLSearchParams(path.split('?')[1]).get('before') ?? 1e9);
      return { items: turns.filter(({ turn }) => turn < before), nextCursor: null } as Answer;
    },
  } as Client;
  const error: unknown = await readTurn(client, GOAL_ID, asked).catch((caught) => caught);
  return failureOf(error);
}

describe('two turns', () => {
  const both: Both<ReadTurn> = [readOf(4, 'I look.'), readOf(5, 'I claim.')];
  const none = [new Map(), new Map()] as const;

  test('TERM-50 stand beside each other from 100 columns on, and what differs has a sign', () => {
    const lines = comparedTurns(both, none, lookOf(100));
    expect(lines[0]).toMatch(/^ {16}Turn 4 +│ Turn 5$/);
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}Model +some\/model +│ some\/model$/));
    expect(lines).toContainEqual(expect.stringMatching(/I look\. +│ +I claim\.$/));
    const other = comparedTurns([both[0], readOf(5, '', { calls: [] })], none, lookOf(100));
    expect(other).toContainEqual(expect.stringMatching(/^≠ Calls +2 +│ 0$/));
  });

  test.each([
    ['below 100 columns', lookOf(60)],
    ['in a file', file(lookOf(120))],
  ])('TERM-50 stand one after the other %s', (_, look) => {
    const lines = comparedTurns(both, none, look).map(stripVTControlCharacters);
    expect(lines.filter((text) => /^Turn \d$/.test(text))).toEqual(['Turn 4', 'Turn 5']);
    expect(lines.join('\n')).not.toContain(' │ Turn');
    const diffs = comparedTexts(['Turn 4', 'Turn 5'], [['+a'], ['-b']], look);
    expect(diffs).toEqual(['Turn 4', '+a', '', 'Turn 5', '-b']);
  });

  test('TERM-51 what both requests begin with is told once, and what differs in full', () => {
    const system = { title: 'system', text: 's'.repeat(2000) };
    const said = (text: string) => ({ title: 'user', text });
    const lines = comparedSections(
      ['Turn 4', 'Turn 5'],
      [
        [system, said('one')],
        [system, said('two'), said('three')],
      ],
      lookOf(100),
    );
    expect(lines[0]).toBe('== system  the same in both, 2.0k characters');
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/^Turn 4 +│ Turn 5$/),
      expect.stringMatching(/^== user +│ == user$/),
      expect.stringMatching(/^one +│ two$/),
      expect.stringMatching(/^ +│$/),
      expect.stringMatching(/^ +│ == user$/),
      expect.stringMatching(/^ +│ three$/),
      expect.stringMatching(/^ +│$/),
    ]);
  });
});
