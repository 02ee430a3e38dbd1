import { describe, expect, it } from 'vitest';
import { eventWords } from '../../src/cli/progress.ts';
import { oneLine, printable, table } from '../../src/cli/terminal.ts';

const words = (type: string, data: unknown) => eventWords({ type, data })?.text ?? null;

describe('events in words', () => {
  it.each([
    ['limit.reached', { name: 'turns', used: 7, deep: {} }, 'limit.reached name=turns used=7'],
    ['limit.reached', null, 'limit.reached'],
    ['goal.started', { status: 'active', revision: 1, threadId: 't-1' }, 'goal started'],
    ['goal.answered', { by: 'admin-24ad881d', role: 'admin' }, 'answered by admin'],
    ['goal.changed', { status: 'paused' }, 'goal is paused'],
    [
      'worktree.made',
      { branch: 'goal/g-1', base: '2408f5a2f214373d37fe', uncommitted: 2 },
      'works on goal/g-1, from 2408f5a2f214; not in it: 2 uncommitted files',
    ],
    [
      'branch.applied',
      { branch: 'goal/g-1', workspace: 'shop', files: 3, order: 'c-1' },
      'goal/g-1 was applied to shop: files 3',
    ],
    [
      'branch.ended',
      { branch: 'goal/g-1', commit: '2408f5a2f214373d37fe', files: 3, isProven: true },
      'its work is on goal/g-1 at 2408f5a2f214',
    ],
    [
      'branch.stuck',
      { branch: 'goal/g-1', why: 'git update-ref failed' },
      'its branch goal/g-1 can’t end yet, and is tried again: git update-ref failed',
    ],
  ])('says %s %o in words of people', (type, data, expected) => {
    expect(words(type, data)).toBe(expected);
  });

  it.each([['step.started'], ['step.committed'], ['message.added'], ['todos.changed']])(
    'says nothing of %s',
    (type) => {
      expect(words(type, { turn: 1, callId: 't1.s1.1' })).toBeNull();
    },
  );

  it('says who is waited for, and until when', () => {
    const activity = { state: 'waiting', on: 'provider', actor: 'Provider', reason: 'Slow down' };
    const data = {
      status: 'active',
      activity: { ...activity, until: '2026-01-01T11:00:00.000Z' },
    };
    expect(eventWords({ type: 'goal.changed', data })).toEqual({
      text: 'goal is active, waits for provider until 11:00:00: Slow down',
      tone: 'none',
    });
    const mine = { ...data, activity: { ...activity, actor: 'You', on: 'approval' } };
    expect(eventWords({ type: 'goal.changed', data: mine })?.tone).toBe('you');
  });

  it('lets no text of a model steer the terminal', () => {
    const attack = 'ok\u001b[2J\u001b]0;owned\u0007\r\nfake line\u009b31m';
    const shown = words('step.failed', { error: { kind: 'other', message: attack } }) ?? '';
    expect(
      [...shown].every((character) => character >= ' ' && !'\u007f\u009b'.includes(character)),
    ).toBe(true);
    expect(printable('two\nlines\tand a tab')).toBe('two\nlines\tand a tab');
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
