import { expect, it } from 'vitest';
import type { Delegate, Gate, Goal } from '../../src/ui/api/types.ts';
import { delegateBlock, delegateWords } from '../../src/ui/view/delegate-lane.ts';
import { lastPiece, PIECE_BYTES, pieceAt, rangeText } from '../../src/ui/view/output-pieces.ts';
import { requirementsOf } from '../../src/ui/view/requirements.ts';

const MINUTE = 60_000;
const minutesIn = (minutes: number) => new Date(minutes * MINUTE).toISOString();

it('what a check printed stands apart from what it was, and from what would satisfy it', () => {
  const reason = 'exited 1\nIts output ends with:\n  # fail 1\n# tests 1';
  const criterion = { criterionId: 'c1', state: 'unmet', receipts: [], reason };
  const of = (reasons: object) => {
    const spec = { kind: 'command', command: 'npm test' };
    const gate = { criteria: [{ ...criterion, spec }], reasons } as unknown as Gate;
    return requirementsOf({ status: 'active', activity: {} } as Goal, gate, [], false)[0];
  };
  expect(of({})).toMatchObject({
    satisfy: 'The host runs it itself at the claim. Seen so far: exited 1.',
    printed: '  # fail 1\n# tests 1',
  });
  expect(of({ c1: 'It is not met.' })).toMatchObject({ satisfy: 'It is not met.', printed: '' });
});

it('a delegate has a lane on the map from its start to its end, and none for one that never began', () => {
  const delegate = (change: Partial<Delegate>) =>
    ({ delegateId: 'd', depth: 1, turn: 2, task: 'Look', ...change }) as Delegate;
  const now = Date.parse(minutesIn(40));
  const spanOf = (change: Partial<Delegate>) => {
    const block = delegateBlock(delegate(change), now);
    return block === null ? null : [block.label, (block.to - block.from) / MINUTE];
  };
  const startedAt = minutesIn(10);
  expect(spanOf({ state: 'staged' })).toBeNull();
  expect(spanOf({ state: 'delayed', startsAt: minutesIn(50) })).toBeNull();
  expect(spanOf({ state: 'running', startedAt })).toEqual(['Delegate, works: Look', 30]);
  const outcome = { kind: 'finding', reason: '' } as const;
  const ended = { state: 'ended', startedAt, endedAt: minutesIn(25), outcome } as const;
  expect(spanOf(ended)).toEqual(['Delegate, finding: Look', 15]);
  expect(delegateWords(delegate({ state: 'staged' }))).toBe('after this turn');
});

it('an output of 20 MB is read in pieces, from its start or from its end', () => {
  const total = 20_000_001;
  const last = lastPiece(total);
  expect([last % PIECE_BYTES, last < total, last + PIECE_BYTES >= total]).toEqual([0, true, true]);
  expect(pieceAt(last + PIECE_BYTES, total)).toBeNull();
  expect(pieceAt(-PIECE_BYTES, total)).toBeNull();
  expect(lastPiece(2 * PIECE_BYTES)).toBe(PIECE_BYTES);
  expect(rangeText([0, PIECE_BYTES], total)).toMatch(/^2\d\d KB of/);
  expect(rangeText([last], total)).toMatch(/^the last .* of/);
  expect(rangeText([0], 10)).toBe('10 bytes of 10 bytes');
});
