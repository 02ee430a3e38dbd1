import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutFairly } from '../../../src/evidence/review/cut-fairly.ts';

it('cuts the longest parts alone, each with a mark, and no more than it has to', () => {
  const part = fc.nat(400).map((length) => 'x'.repeat(length));
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 20 }), fc.nat(2000), (parts, most) => {
      const shown = cutFairly(parts, most)
        .replaceAll(/\n\(cut: \d+ more.*?\)/g, '')
        .split('\n');
      const total = shown.reduce((sum, { length }) => sum + length, 0);
      expect(total).toBeLessThanOrEqual(most);
      const cut = shown.filter(({ length }, index) => length < (parts[index]?.length ?? 0));
      if (cut.length === 0) {
        expect(shown).toEqual(parts);
        return;
      }
      const room = Math.max(...shown.map(({ length }) => length));
      expect(cut.every(({ length }) => length === room)).toBe(true);
      expect(most - total).toBeLessThan(parts.length);
    }),
  );
});

it('says how much of a part is left out', () => {
  expect(cutFairly(['short', 'y'.repeat(30)], 25)).toBe(
    `short\n${'y'.repeat(20)}\n(cut: 10 more characters of this file)`,
  );
});
