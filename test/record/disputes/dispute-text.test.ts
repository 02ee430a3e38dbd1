import { expect, test } from 'vitest';
import { disputeNotice } from '../../../src/record/disputes/dispute-text.ts';

test('a dispute that led to other criteria is told as that', () => {
  expect(disputeNotice('amended', 'c2', 'words')).toBe(
    'A person amended the criteria because you disputed c2. The goal block shows them.',
  );
});

test('a person who insists is told as that, with their words where they gave some', () => {
  const insisted = disputeNotice('insisted', 'c2', null);
  expect(insisted).toMatch(/^A person saw your dispute of c2 and insists .* is not taken again\.$/);
  expect(disputeNotice('insisted', 'c2', '  ')).toBe(insisted);
  expect(disputeNotice('insisted', 'c2', 'It is possible.')).toBe(
    `${insisted} Their words: It is possible.`,
  );
});
