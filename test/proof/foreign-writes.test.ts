import { expect, test } from 'vitest';
import type { LedgerRow } from '../../schema/ledger.ts';
import { hasForeignWriteAfter } from '../../src/proof/foreign-writes.ts';
import { ranCommand } from '../goal/receipts.ts';

const ran = (seq: number, writeSeq: number, change: Partial<LedgerRow> = {}): LedgerRow => {
  const row = ranCommand(seq, 'npm test');
  return { ...row, ...change, receipt: { ...row.receipt, ...change.receipt, writeSeq } };
};
const wrote = (seq: number, writeSeq: number) => ran(seq, writeSeq, { receipt: { writes: ['a'] } });

test('R39 writes that this goal made itself are not foreign, unknown ends among them', () => {
  const rows = [ran(2, 5), wrote(4, 6), ran(6, 6), ran(8, 7, { outcome: 'unknown' })];
  expect(hasForeignWriteAfter(2, rows, 7)).toBe(false);
});

test('R39 a count that own rows do not explain was made by another goal', () => {
  expect(hasForeignWriteAfter(2, [ran(2, 5)], 6)).toBe(true);
  expect(hasForeignWriteAfter(2, [ran(2, 5), ran(4, 6)], 6)).toBe(true);
  expect(hasForeignWriteAfter(2, [ran(2, 5), wrote(4, 7)], 7)).toBe(true);
});

test('R39 what others wrote before the run does not matter', () => {
  expect(hasForeignWriteAfter(4, [ran(2, 3), ran(4, 9)], 9)).toBe(false);
});

test('rows that note no count say nothing', () => {
  expect(hasForeignWriteAfter(2, [ranCommand(2, 'npm test')], 9)).toBe(false);
});
