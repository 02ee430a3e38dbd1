import { expect, test } from 'vitest';
import type { LedgerSegment } from '../../schema/proof-bundle.ts';
import { hashRow, type UnhashedRow } from '../../src/store/ledger/ledger-chain.ts';
import { ledgerKeys } from '../../src/store/ledger/ledger-keys.ts';
import { walkSegment } from '../../src/store/ledger/ledger-segment.ts';

const key = ledgerKeys(['a secret of some length']).sealing;

/** Rows 5 to 8, of which 6 and 8 are cited; sealed from this row on. */
function segment(sealedFrom: number): LedgerSegment {
  let previous = 'a'.repeat(64);
  const rows = [5, 6, 7, 8].map((seq) => {
    const row: UnhashedRow = {
      ...{ seq, phase: 'settled', callId: `call-${seq}`, turn: 1, step: 1, token: 1 },
      ...{ tool: 'check.gate', effect: 'read', outcome: 'succeeded' },
      ...{ receipt: { exitCode: 0 }, at: '2026-01-01T00:00:00.000Z', previous },
    };
    const hash = hashRow(row, seq >= sealedFrom ? key : null);
    previous = hash;
    return { ...row, hash };
  });
  const [first] = rows;
  const shown = rows.map((row) => (row.seq % 2 === 0 ? row : { seq: row.seq, hash: row.hash }));
  return { previous: first?.previous ?? '', rows: shown, head: { seq: 8, hash: previous } };
}

const without = (index: number) => {
  const whole = segment(9);
  return { ...whole, rows: whole.rows.filter((_, at) => at !== index) };
};

test('PRF-9 cited rows are recomputed, and follow the rows between them by their hashes', () => {
  expect(walkSegment(segment(9))).toEqual({ recomputed: 2, sealed: 0 });
});

test('PRF-9 rows that a key seals are told apart', () => {
  expect(walkSegment(segment(7))).toEqual({ recomputed: 1, sealed: 1 });
  expect(walkSegment(segment(1))).toEqual({ recomputed: 0, sealed: 2 });
});

test.each<[string, () => LedgerSegment, string]>([
  ['a row between is missing', () => without(2), 'row 7 is missing'],
  ['the first row is missing', () => without(0), 'does not follow'],
  ['the last row is missing', () => without(3), 'not the head'],
  [
    'a row behind sealed ones is not',
    () => ({ ...segment(9), previous: segment(1).head.hash }),
    'not sealed',
  ],
])('PRF-9 %s', (_, made, problem) => {
  expect(walkSegment(made())).toContain(problem);
});
