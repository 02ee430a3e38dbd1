import { describe, expect, it } from 'vitest';
import { createLiveProgress } from '../../src/cli/live-progress.ts';
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

  it.each([['step.started'], ['step.committed'], ['message.added'], ['todos.changed']])(
    'says nothing of %s',
    (type) => {
      expect(line(type, { turn: 1, callId: 't1.s1.1' })).toBeNull();
    },
  );

  it.each([
    ['goal.started', { status: 'active', revision: 1, threadId: 't-1' }, 'goal started'],
    ['goal.answered', { by: 'admin-24ad881d', role: 'admin' }, 'answered by admin'],
    [
      'call.settled',
      { tool: 'check.baseline', outcome: 'failed', exitCode: 1 },
      '  baseline check does not hold yet (exit 1)',
    ],
    ['call.settled', { tool: 'check.gate', outcome: 'succeeded' }, '  gate check succeeded'],
  ])('says %s %o in words of people', (type, data, words) => {
    expect(line(type, data)).toBe(`10:20:30 ${words}`);
  });

  it('tells a short call once, by its end, and a status only when it changes', () => {
    const told: string[] = [];
    const progress = createLiveProgress({ err: (text) => void told.push(text), paint: plain });
    const show = (type: string, data: object) => progress.show({ type, data, at });
    show('call.started', { tool: 'read_file', callId: 'c1' });
    show('call.settled', { tool: 'read_file', callId: 'c1', outcome: 'succeeded' });
    show('goal.changed', { status: 'active' });
    show('goal.changed', { status: 'paused' });
    show('goal.changed', { status: 'paused' });
    progress.close();
    expect(told).toEqual(['10:20:30   read_file succeeded', '10:20:30 goal is paused']);
  });

  it('tells that a long call began', async () => {
    const told: string[] = [];
    const progress = createLiveProgress({ err: (text) => void told.push(text), paint: plain });
    progress.show({ type: 'call.started', data: { tool: 'run_command', callId: 'c1' }, at });
    await expect.poll(() => told).toEqual(['10:20:30   run_command …']);
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
