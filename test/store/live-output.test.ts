import { describe, expect, it } from 'vitest';
import { type Heard, takePieces } from '../../src/store/notices/live-output.ts';

const heardOf = (callId: string, text: string, told = 0, before = 0): [string, Heard] => [
  callId,
  { call: { goalId: 'g', turn: 1, callId }, began: 1, text, end: before + text.length, told },
];

describe('CON-52: what commands print is told in pieces', () => {
  it('that say where they begin: only what is new, and its newest lines where it is much', () => {
    const heard = new Map([
      heardOf('short', 'one\ntwo\n', 4),
      heardOf('long', 'a line\n'.repeat(285), 1000, 50_000),
      heardOf('told', 'old', 3),
    ]);
    const [short, long, ...more] = takePieces(heard);
    expect(short).toMatchObject({ callId: 'short', start: 4, text: 'two\n' });
    expect(long).toMatchObject({ callId: 'long', start: 50_007 });
    expect(long?.text.startsWith('a line\n')).toBe(true);
    expect(more).toEqual([]);
    expect(takePieces(heard)).toEqual([]);
  });

  it('that fit a notification, whatever they hold; what does not fit comes next', () => {
    const heard = new Map(['a', 'b', 'c'].map((id) => heardOf(id, '\u001b'.repeat(2000))));
    const taken = [takePieces(heard), takePieces(heard), takePieces(heard), takePieces(heard)];
    expect(taken.map((pieces) => pieces.map(({ callId }) => callId))).toEqual([
      ['a'],
      ['b'],
      ['c'],
      [],
    ]);
    for (const pieces of taken)
      expect(Buffer.byteLength(JSON.stringify(pieces))).toBeLessThanOrEqual(7000);
    expect(taken[0]?.[0]).toMatchObject({ start: 1000, text: '\u001b'.repeat(1000) });
  });
});
