import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Pattern, similarity } from '../../../src/tools/edit/similarity.ts';

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

test('the banded distance agrees with the plain one', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 120, size: 'max' });
  fc.assert(
    fc.property(word, word, fc.constantFrom(0.9, 0.7, 0.5, 0), (a, b, least) => {
      const longest = Math.max(a.length, b.length);
      const plain = longest === 0 ? 1 : 1 - distance(a, b) / longest;
      const found = similarity(
        new Pattern(a),
        { text: `x${b}y`, start: 1, end: b.length + 1 },
        least,
      );
      if (plain >= least) expect(found).toBeCloseTo(plain);
      else expect(found).toBeNull();
    }),
    { numRuns: 2000 },
  );
});
