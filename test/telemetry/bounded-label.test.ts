import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundedLabel } from '../../src/telemetry/bounded-label.ts';

test('MET-1 a label never has more values than its bound, and one that is known stays', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.integer({ min: 1, max: 20 }), (values, most) => {
      const label = boundedLabel(most);
      const first = values.map((value) => label(value));
      expect(new Set(first).size).toBeLessThanOrEqual(most + 1);
      expect(values.map((value) => label(value))).toEqual(first);
    }),
  );
});
