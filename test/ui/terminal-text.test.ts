import { describe, expect, it } from 'vitest';
import {
  emptyScreen,
  MOST_ROWS,
  printed,
  rowsOnScreen,
  type Screen,
} from '../../schema/terminal-rows.ts';
import { createLiveOutputs, type Printed, withOutput } from '../../src/ui/live/live-output.ts';
import { spansOf } from '../../src/ui/view/terminal-text.ts';

const screenOf = (...pieces: readonly string[]): Screen =>
  pieces.reduce((screen, piece) => printed(screen, piece), emptyScreen);
const shown = (screen: Screen): string[] =>
  rowsOnScreen(screen).map(({ text, isGap }) =>
    isGap
      ? '(gap)'
      : spansOf(text)
          .map((span) => span.text)
          .join(''),
  );
const looks = (screen: Screen) => rowsOnScreen(screen).map(({ text }) => spansOf(text));

describe('CON-47: what a command prints', () => {
  it('is shown in lines, whatever pieces it came in, and its last line before it ends', () => {
    expect(shown(screenOf('one\ntw', 'o\nthr'))).toEqual(['one', 'two', 'thr']);
    expect(shown(screenOf('10 %\r20 %\r', '30 %\r\n'))).toEqual(['30 %']);
    expect(shown(screenOf('done\r\nnext\r\n'))).toEqual(['done', 'next']);
  });

  it('keeps its colours, also over lines and through a sequence that came in two pieces', () => {
    const screen = screenOf('\u001b[31mred\nstill\u001b[0m plain \u001b[1;3', '2mbold green\n');
    expect(looks(screen)).toEqual([
      [{ text: 'red', look: 'ansi-red' }],
      [
        { text: 'still', look: 'ansi-red' },
        { text: ' plain ', look: '' },
        { text: 'bold green', look: 'ansi-green ansi-bold' },
      ],
    ]);
    expect(looks(screenOf('\u001b[38;5;196mred \u001b[38;2;0;200;210mcyan'))).toEqual([
      [
        { text: 'red ', look: 'ansi-red' },
        { text: 'cyan', look: 'ansi-cyan' },
      ],
    ]);
  });

  it('moves no cursor, sets no title, hides and reorders nothing, and leaks no sequence', () => {
    const tricks: readonly (readonly [string, string])[] = [
      ['a\u001b[2J\u001b[1;1Hb', 'ab'],
      ['a\u001b[3A\u001b[2Kb', 'ab'],
      ['a\u001b]0;owned\u0007b', 'ab'],
      ['a\u001b]8;;http://evil.example\u001b\\link\u001b]8;;\u001b\\b', 'alinkb'],
      ['a\u001bP1$r0m\u001b\\b\u001b_x\u001b\\c', 'abc'],
      ['a\u009b31mb\u009d0;t\u009cc\u0085d', 'abcd'],
      ['a\u001b[?1049hb\u001bcc\u001b(0d', 'abcd'],
      ['a\u001b[<31mb\u001b[31;m\u001b[1$mc', 'abc'],
      ['safe\b\b\b\bevil\u0007\u0000', 'safeevil'],
      ['\u001b[8mhidden\u001b[0m', 'hidden'],
      ['a\u202eb\u200bc', 'a<U+202E>b<U+200B>c'],
      ['a\u001b[', 'a'],
      ['a\u001b', 'a'],
      ['a\u001b]0;never ended', 'a'],
      ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
    ];
    for (const [raw, text] of tricks) {
      expect(shown(screenOf(raw)), JSON.stringify(raw)).toEqual([text]);
      const letters = rowsOnScreen(screenOf(...raw)).flatMap((row) => spansOf(row.text));
      expect(letters.map((span) => span.text).join(''), JSON.stringify(raw)).toBe(text);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
      expect(JSON.stringify(letters)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]|\\u00/);
    }
  });

  it('is bounded: ten megabytes at once or in pieces keep the newest lines, in little time', () => {
    // Of the processor: the machine may be shared.
    const begun = process.cpuUsage();
    const line = `${'x'.repeat(99)}\n`;
    const once = printed(emptyScreen, line.repeat(100_000));
    let many = emptyScreen;
    for (let at = 0; at < 5000; at += 1) many = printed(many, line.repeat(20));
    const endless = screenOf(...Array.from({ length: 500 }, () => 'y'.repeat(20_000)));
    expect(process.cpuUsage(begun).user / 1000).toBeLessThan(3000);
    expect([once.rows.length, many.rows.length]).toEqual([MOST_ROWS, MOST_ROWS]);
    expect(many).toMatchObject({ lines: 100_000, characters: 10_000_000 });
    expect(new Set(many.rows.map(({ key }) => key)).size).toBe(MOST_ROWS);
    expect(endless.open.length).toBeLessThan(20_000);
  });

  it('says where something was left out, and begins anew behind it', () => {
    const screen = printed(screenOf('one\n\u001b[31mhal'), 'later\n', true);
    expect(shown(screen)).toEqual(['one', 'hal', '(gap)', 'later']);
    expect(looks(screen).at(-1)).toEqual([{ text: 'later', look: '' }]);
  });

  it('is not shown twice where it is told again, and begins anew with another run', () => {
    const piece = (began: number, start: number, text: string) => ({
      ...{ goalId: 'g', turn: 1, callId: 'c' },
      ...{ began, start, text },
    });
    const heard = (...pieces: readonly ReturnType<typeof piece>[]) =>
      pieces.reduce<Printed | null>((known, one) => withOutput(known, one, 0), null);
    const rows = (...pieces: readonly ReturnType<typeof piece>[]) =>
      shown(heard(...pieces)?.screen ?? emptyScreen);
    expect(rows(piece(1, 0, 'one\n'), piece(1, 0, 'one\n'), piece(1, 0, 'one\ntwo'))).toEqual([
      ...['one', 'two'],
    ]);
    expect(rows(piece(1, 90, 'late'))).toEqual(['(gap)', 'late']);
    expect(rows(piece(1, 0, 'one\n'), piece(1, 9, 'two'))).toEqual(['one', '(gap)', 'two']);
    expect(rows(piece(1, 0, 'first run\n'), piece(2, 0, 'again'))).toEqual(['again']);
    expect(rows(piece(2, 0, 'again'), piece(1, 0, 'first run, told late\n'))).toEqual(['again']);
  });

  it('is told once a frame, however many pieces came, and of few commands', () => {
    const frames: (() => void)[] = [];
    const outputs = createLiveOutputs((act) => frames.push(act));
    let told = 0;
    outputs.subscribe(() => (told += 1));
    const hear = (callId: string, start: number, text: string) =>
      outputs.hear({ goalId: 'g', turn: 1, callId, began: 1, start, text });
    for (let at = 0; at < 1000; at += 1) hear('c', at * 4, `${1000 + at}`.slice(1).concat('\n'));
    expect([frames.length, told]).toEqual([1, 0]);
    frames.shift()?.();
    expect(told).toBe(1);
    expect(shown(outputs.of('g', 'c')?.screen ?? emptyScreen)).toHaveLength(1000);
    for (let at = 0; at < 9; at += 1) hear(`d${at}`, 0, 'x');
    expect([outputs.of('g', 'c'), outputs.of('g', 'd8')?.screen.open]).toEqual([null, 'x']);
  });
});
