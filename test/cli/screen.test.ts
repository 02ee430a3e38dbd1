import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import type { Call } from '../../schema/turn.ts';
import { goalText } from '../../src/cli/goal-text.ts';
import { line, wrapped } from '../../src/cli/screen/fit.ts';
import { liveArea } from '../../src/cli/screen/live-area.ts';
import { lookOf } from '../../src/cli/screen/look.ts';
import { paintIn, plain } from '../../src/cli/terminal.ts';
import { footLines, MOST_LINES, type Now } from '../../src/cli/watch/foot.ts';
import { screenLines } from '../../src/cli/watch/screen-lines.ts';
import type { Told } from '../../src/cli/watch/told.ts';
import { goalThat } from './told-goal.ts';

const at = '2026-01-01T10:20:30.000Z';
const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom(
    '\u001b[2J\u001b]0;owned\u0007',
    '目標'.repeat(80),
    'a'.repeat(400),
    '👩‍👩‍👧 '.repeat(40),
    '',
  ),
);
const whole = fc.integer({ min: 0, max: 99_999 });

const callOf = (command: string, seq: number): Call =>
  ({
    ...{ callId: 'c', settledSeq: seq, startedSeq: seq, arguments: { command } },
    receipt: { command, durationMs: seq },
  }) as unknown as Call;

const endOfTurn = fc.record({
  ...{ deed: words, action: fc.constantFrom('continue', 'refuse'), sentence: words },
  ...{ missing: fc.constant([]), costUsd: fc.option(fc.constant(12.5)) },
  seconds: fc.option(whole),
});

const told: fc.Arbitrary<Told> = fc.oneof(
  fc.record({
    ...{ kind: fc.constant('call' as const), at: fc.constant(at), turn: whole },
    ...{ tool: fc.constantFrom('run_command', 'edit_file', 'check.gate', 'mcp__a__b') },
    outcome: fc.constantFrom('succeeded', 'failed', 'refused', 'unknown'),
    exitCode: fc.option(fc.integer({ min: 0, max: 255 })),
    call: fc.option(fc.tuple(words, whole).map(([command, seq]) => callOf(command, seq))),
    change: fc.option(fc.record({ added: whole, removed: whole })),
    ...{ isBeyondScope: fc.boolean(), why: fc.array(words, { maxLength: 5 }) },
  }),
  fc.record({
    ...{ kind: fc.constant('turn' as const), at: fc.constant(at), turn: whole },
    ...{ why: words, end: fc.option(endOfTurn) },
  }),
  fc.record({
    ...{ kind: fc.constant('settled' as const), at: fc.constant(at), turn: whole },
    end: endOfTurn,
  }),
  fc.record({
    ...{ kind: fc.constant('say' as const), at: fc.constant(at), turn: whole },
    lines: fc.array(words, { maxLength: 12 }),
    ...{ before: fc.integer({ min: 0, max: 9 }), isWhole: fc.boolean() },
  }),
  fc.record({
    ...{ kind: fc.constant('note' as const), at: fc.constant(at), turn: whole },
    ...{ what: fc.constant('goal'), text: words },
    tone: fc.constantFrom('none', 'you', 'failed'),
  }) as fc.Arbitrary<Told>,
);

const criterion = fc.record({
  criterionId: fc.integer({ min: 1, max: 50 }).map((number) => `C${number}`),
  state: fc.constantFrom('met', 'unmet', 'stale'),
  receipts: fc.array(whole, { maxLength: 2 }),
  spec: words.map((command) => ({ kind: 'command', command })),
});

const now: fc.Arbitrary<Now> = fc
  .record({
    criteria: fc.array(criterion, { maxLength: 50 }),
    ...{ actor: fc.constantFrom('You', 'Agent', 'Provider'), reason: words, saying: words },
    ...{ subject: words, rows: fc.array(words, { maxLength: 6 }), lines: whole },
    ...{ runs: fc.boolean(), isAway: fc.boolean(), said: fc.option(words) },
    quietSince: fc.option(fc.integer({ min: 0, max: Date.parse(at) })),
  })
  .map(({ criteria, actor, reason, subject, rows, lines, runs, ...rest }) => {
    const since = at;
    const state = actor === 'Agent' ? 'running' : 'waiting';
    const goal = goalThat({
      ...{ criteria: criteria as unknown as Goal['criteria'], createdAt: at },
      activity: { state, actor, reason, since } as Goal['activity'],
    });
    const tool = 'run_command';
    const call = runs ? { tool, subject, seq: 7, since: 0, lines, rows: rows.map(clean) } : null;
    const keys = [{ key: 'm', does: 'message' }];
    return { ...rest, saying: clean(rest.saying), goal, call, now: Date.parse(at), keys };
  });

/** Output reaches the foot filtered. */
const clean = (text: string): string => text.replaceAll(/\p{Control}/gu, '');

const looks = fc.record({
  width: fc.integer({ min: 60, max: 240 }),
  isColoured: fc.boolean(),
  isAscii: fc.boolean(),
});

describe('what a terminal shows of a goal', () => {
  test('TERM-1 no line is wider than the terminal, and none steers it, whatever models and commands say', () => {
    fc.assert(
      fc.property(told, looks, (one, { width, isColoured, isAscii }) => {
        for (const text of screenLines(one, lookOf(width, paintIn(isColoured), isAscii))) {
          expect(stringWidth(text)).toBeLessThanOrEqual(width);
          expect(stripVTControlCharacters(text)).not.toMatch(/\p{Control}/u);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('TERM-2 the foot has at most eight lines, none wider than the terminal, at every width', () => {
    fc.assert(
      fc.property(now, looks, (one, { width, isColoured, isAscii }) => {
        const lines = footLines(one, lookOf(width, paintIn(isColoured), isAscii));
        expect(lines.length).toBeLessThanOrEqual(MOST_LINES);
        for (const text of lines) expect(stringWidth(text)).toBeLessThanOrEqual(width);
      }),
      { numRuns: 100 },
    );
  });

  test.each([60, 61, 100, 160])(
    'TERM-3 at %i columns who acts, how a command ended and what is missing are never dropped',
    (width) => {
      const look = lookOf(width);
      const long = 'npm uninstall '.repeat(40);
      const ended: Told = {
        ...{ kind: 'call', at, turn: 1, tool: 'run_command', outcome: 'failed', exitCode: 137 },
        ...{
          call: callOf(long, 12_345),
          change: null,
          isBeyondScope: false,
          why: ['out of memory'],
        },
      };
      const [first = '', why = ''] = screenLines(ended, look);
      expect(first).toMatch(/^ +✖ run +npm uninstall .*exit 137/);
      expect(why).toContain('out of memory');
      const goal = goalThat({
        createdAt: at,
        criteria: [
          {
            criterionId: 'C1',
            state: 'stale',
            receipts: [193],
            spec: { kind: 'command', command: long },
          },
          {
            criterionId: 'C4',
            state: 'unmet',
            receipts: [175],
            spec: { kind: 'command', command: long },
          },
        ] as unknown as Goal['criteria'],
        activity: { ...goalThat({}).activity, actor: 'You', state: 'waiting', reason: long },
      });
      const shown = footLines(
        {
          goal,
          now: 0,
          call: null,
          saying: '',
          quietSince: null,
          isAway: false,
          said: null,
          keys: [],
        },
        look,
      ).join('\n');
      expect(shown).toContain('! waits for you');
      expect(shown).toContain('C1 ◔');
      expect(shown).toContain('C4 ✖');
    },
  );

  test('TERM-81 how long a model is asked ticks, and after half a minute without a word of it that is said', () => {
    const shown = (seconds: number | null, saying = '') => {
      const quietSince = seconds === null ? null : 400_000 - 1000 * seconds;
      const [, acting] = footLines(
        {
          ...{ goal: goalThat({ createdAt: at }), now: 400_000, call: null, saying, quietSince },
          ...{ isAway: false, said: null, keys: [] },
        },
        lookOf(60),
      );
      return acting;
    };
    expect(shown(null)).toBe('▶ the agent thinks');
    expect(shown(12)).toBe('▶ the agent thinks  12 s');
    expect(shown(4, 'Let me')).toBe('▶ the agent writes  4 s');
    expect(shown(291)).toBe('▶ no word of openai/gpt-test for  4m 51s');
  });

  test('TERM-69 a text that is broken at a blank goes on without it', () => {
    expect(wrapped('twelve signs and more', 12)).toEqual(['twelve signs', 'and more']);
    expect(wrapped('one\n  two', 12)).toEqual(['one', '  two']);
  });

  test.each([60, 100, 160])(
    'TERM-70 at %i columns the head of a goal is broken between words, behind its names',
    (width) => {
      const scope = 'Tests, expected outputs, schemas and builds stay the judge’s. '
        .repeat(4)
        .trim();
      const goal = goalThat({
        ...{ objective: scope, createdAt: at, todos: { revision: 0, total: 0, done: 0 } },
        policy: {} as Goal['policy'],
        criteria: [],
      });
      const lines = goalText(goal, lookOf(width)).split('\n');
      for (const one of lines) expect(stringWidth(one)).toBeLessThanOrEqual(width);
      const from = lines.findIndex((one) => one.startsWith('objective'));
      const to = lines.findIndex((one) => one.startsWith('state'));
      expect(
        lines
          .slice(from, to)
          .map((one) => one.slice(11))
          .join(' '),
      ).toBe(scope);
      expect(goalText(goal)).toContain(scope);
    },
  );

  test.each([60, 100, 160])(
    'TERM-69 at %i columns the reason of a refusal is read to its end, and keys and budget stay',
    (width) => {
      const said =
        'The criterion "npm test -- --run" can never fail where it stands: its exit code is that of true. Leave || true out, or name the file that has to be there, then send it again.';
      const call = {
        ...{ tool: 'run_command', subject: 'npm test', seq: 4, since: 0, lines: 2 },
        rows: [],
      };
      const keys = [{ key: 'p', does: 'pause' }];
      for (const running of [null, call]) {
        const shown = footLines(
          {
            goal: goalThat({ createdAt: at, criteria: [] }),
            ...{ now: 0, call: running, saying: '', quietSince: null, isAway: false, said, keys },
          },
          lookOf(width),
        );
        expect(shown.length).toBeLessThanOrEqual(MOST_LINES);
        const words = shown.map((one) => one.split('│')[0]?.trim()).join(' ');
        expect(words).toContain(said);
        expect(words).toContain('Ctrl C leaves');
      }
    },
  );

  test('TERM-4 without colours the signs say the same, and ASCII has signs of its own', () => {
    const one: Told = { kind: 'note', at, turn: 1, what: 'goal', text: 'decide', tone: 'you' };
    expect(screenLines(one, lookOf(100, plain)).join()).toContain('! decide');
    expect(screenLines(one, lookOf(100, plain, true)).join()).toContain('YOU decide');
    const failed: Told = {
      ...{ kind: 'call', at, turn: 1, tool: 'run_command', outcome: 'failed', exitCode: 1 },
      ...{ call: null, change: null, isBeyondScope: false, why: [] },
    };
    expect(screenLines(failed, lookOf(100, plain, true)).join()).toMatch(/^[\x20-\x7e]+$/);
  });

  test('a met criterion is a proved one only where a proof run says so', () => {
    const criteria = [
      { criterionId: 'C1', state: 'met', receipts: [1], spec: { kind: 'command', command: 'x' } },
    ] as unknown as Goal['criteria'];
    const shown = (goal: Partial<Goal>) =>
      footLines(
        {
          ...{ goal: goalThat({ criteria, createdAt: at, ...goal }), now: 0, call: null },
          ...{ saying: '', quietSince: null, isAway: false, said: null, keys: [] },
        },
        lookOf(160),
      ).join('\n');
    expect(shown({})).toContain('≈ C1');
    const completion = { verification: 'verified' } as Goal['completion'] & object;
    expect(shown({ completion })).toContain('✔ C1');
  });
});

describe('the foot of the terminal', () => {
  const drawnOn = (columns: number) => {
    const written: string[] = [];
    const terminal = { columns, write: (text: string) => void written.push(text) };
    return { terminal, area: liveArea(terminal), last: () => written.at(-1) ?? '', written };
  };

  test('TERM-5 is taken away as far as it reaches, also where the terminal became narrower', () => {
    const { terminal, area, last } = drawnOn(100);
    area.draw(['stays'], ['a'.repeat(100), 'b']);
    terminal.columns = 40;
    area.remove();
    // A line of 100 columns stands in three rows of 40.
    expect(last()).toBe('\r\u001b[4A\u001b[J');
    area.remove();
    expect(last()).toBe('\r\u001b[4A\u001b[J');
  });

  test('is not drawn again where nothing changed', () => {
    const { area, written } = drawnOn(80);
    area.draw([], ['a']);
    area.draw([], ['a']);
    expect(written).toHaveLength(1);
  });
});

describe('a line that has to fit', () => {
  test('drops by number, then cuts what gives way, and keeps what stands at its end', () => {
    const parts = [{ text: 'run ' }, { text: 'x'.repeat(50), gives: true as const }];
    const end = [{ text: 'exit 1' }, { text: '   3.9 s', drop: 2 }, { text: ' #20', drop: 1 }];
    expect(line(lookOf(80), parts, end)).toMatch(/^run x{50} +exit 1 {3}3\.9 s #20$/);
    expect(line(lookOf(40), parts, end)).toMatch(/^run x+… {2}exit 1 {3}3\.9 s #20$/);
    expect(line(lookOf(24), parts, end)).toBe('run xxxxxxx…  exit 1 #20');
    expect(line(lookOf(20), parts, end)).toBe('run xxxxxxx…  exit 1');
  });

  test('words are broken between words, and long ones within', () => {
    expect(wrapped('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrapped('a'.repeat(10), 4)).toEqual(['aaaa', 'aaaa', 'aa']);
  });
});
