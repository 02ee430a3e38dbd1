import { describe, expect, it } from 'vitest';
import { type Said, type TextPiece, withPiece } from '../../src/ui/live/live-text.ts';

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
