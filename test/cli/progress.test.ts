import { describe, expect, it } from 'vitest';
import { progressLine } from '../../src/cli/progress.ts';
import { oneLine, type Paint, plain, printable, table } from '../../src/cli/terminal.ts';

const at = '2026-01-01T10:20:30.000Z';
const line = (type: string, data: unknown) => progressLine({ type, data, at }, plain);

describe('progress', () => {
  it.each([
    ['turn.opened', { turn: 3, kind: 'nudge' }, '10:20:30 turn 3 nudge'],
    [
      'call.settled',
      { tool: 'run_command', outcome: 'failed', exitCode: 2 },
      '10:20:30   run_command failed (exit 2)',
    ],
    ['call.settled', { tool: 'read_file', outcome: 'succeeded' }, '10:20:30   read_file succeeded'],
    [
      'turn.settled',
      { turn: 3, sentence: 'Two checks are missing' },
      '10:20:30 turn 3 settled: Two checks are missing',
    ],
    [
      'limit.reached',
      { name: 'turns', used: 7, deep: {} },
      '10:20:30 limit.reached name=turns used=7',
    ],
    ['limit.reached', null, '10:20:30 limit.reached'],
  ])('shows %s %o as one line', (type, data, expected) => {
    expect(line(type, data)).toBe(expected);
  });

  it('says nothing of single steps and messages', () => {
    expect([line('step.started', {}), line('message.added', {})]).toEqual([null, null]);
  });

  it('lets no text of a model steer the terminal', () => {
    const attack = 'ok\u001b[2J\u001b]0;owned\u0007\r\nfake line\u009b31m';
    const shown = line('turn.settled', { turn: 1, sentence: attack }) ?? '';
    expect(
      [...shown].every((character) => character >= ' ' && !'\u007f\u009b'.includes(character)),
    ).toBe(true);
    expect(printable('two\nlines\tand a tab')).toBe('two\nlines\tand a tab');
  });

  it('colours only through its paint', () => {
    const marked: Paint = { ...plain, bad: (text) => `<${text}>` };
    const event = { type: 'call.settled', data: { tool: 't', outcome: 'failed' }, at };
    expect(progressLine(event, marked)).toContain('<failed>');
  });
});

describe('text for people', () => {
  it('cuts long lines with a mark', () => {
    expect(oneLine('a'.repeat(200), 10)).toBe(`${'a'.repeat(9)}…`);
  });

  it('aligns the columns of a table', () => {
    expect(
      table([
        ['a', 'b'],
        ['long', 'c'],
      ]),
    ).toBe('a     b\nlong  c');
    expect(table([])).toBe('');
  });
});
