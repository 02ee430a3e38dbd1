import { describe, expect, it } from 'vitest';
import type { Goal } from '../../src/ui/api/types.ts';
import { type Said, type TextPiece, withPiece } from '../../src/ui/live/live-text.ts';
import { saysNow } from '../../src/ui/view/says-now.ts';

const piece = (start: number, text: string, change: Partial<TextPiece> = {}): TextPiece => ({
  goalId: 'g',
  turn: 1,
  step: 1,
  attempt: 1,
  start,
  text,
  ...change,
});

const heard = (...pieces: TextPiece[]): Said | null =>
  pieces.reduce<Said | null>((known, one) => withPiece(known, one, 5), null);

describe('what a model says, in pieces', () => {
  it('goes on where the last piece ended, and is told again for who comes later', () => {
    expect(heard(piece(0, 'I read '), piece(7, 'it.'))?.text).toBe('I read it.');
    expect(heard(piece(0, 'I read '), piece(0, 'I read it.'))?.text).toBe('I read it.');
    expect(heard(piece(0, 'I read it.'), piece(0, 'I read'))?.text).toBe('I read it.');
    expect(heard(piece(0, 'I read it.'), piece(7, 'it. Now'))?.text).toBe('I read it. Now');
    expect(heard(piece(0, 'I read it.'), piece(10, ''))).toMatchObject({ text: 'I read it.' });
  });

  it('shows no text as whole of which a part was missed', () => {
    expect(heard(piece(0, 'I read '), piece(20, 'the end'))).toMatchObject({
      start: 20,
      text: 'the end',
    });
    expect(heard(piece(40, 'late'))?.start).toBe(40);
  });

  it('begins anew with another call, and late pieces of the one before change nothing', () => {
    const second = heard(piece(0, 'one'), piece(0, 'two', { attempt: 2 }), piece(3, ' more'));
    expect(second).toMatchObject({ attempt: 2, text: 'two' });
    expect(heard(piece(0, 'one'), piece(0, '', { step: 2 }))).toMatchObject({ step: 2, text: '' });
  });

  it('keeps the newest part of a very long answer', () => {
    const long = heard(piece(0, 'x'.repeat(30_000)), piece(30_000, 'end', { isEnd: true }));
    expect([long?.text.length, long?.start, long?.isEnd]).toEqual([24_000, 6003, true]);
  });
});

describe('the truth about the running answer', () => {
  const running = { activity: { state: 'running', reason: '', since: '', actor: 'Agent' } } as Goal;
  const said = heard(piece(0, 'I read it.'));

  it('is live only while something was heard of it lately', () => {
    expect(saysNow(running, said, 1000)).toMatchObject({ isLive: true, text: 'I read it.' });
    const silent = saysNow(running, said, 30_000);
    expect([silent.isLive, silent.label]).toEqual([
      false,
      'Turn 1, model call 1, nothing heard for 30 s',
    ]);
    expect(saysNow(running, null, 0).text).toBe('');
  });

  it('names who is waited for where no call runs', () => {
    const activity = { state: 'waiting', on: 'worker', reason: 'no worker serves it', since: '' };
    const waiting = { activity: { ...activity, actor: 'Worker' } } as Goal;
    expect(saysNow(waiting, said, 0)).toMatchObject({
      text: '',
      label: 'No model call runs: Worker, no worker serves it',
    });
  });
});
