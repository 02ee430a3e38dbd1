import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countErrors, errorsNamed, newErrors } from '../../src/diagnostics/known-errors.ts';
import { type Diagnostic, parseTypescript } from '../../src/diagnostics/parse.ts';

const error = fc.record({
  path: fc.constantFrom('a.ts', 'b.ts'),
  line: fc.integer({ min: 1, max: 99 }),
  column: fc.constant(null),
  severity: fc.constant('error' as const),
  message: fc.constantFrom('is not assignable', 'has no name'),
  rule: fc.constantFrom('TS1', 'TS2'),
});
const moved = (found: readonly Diagnostic[], by: number) =>
  found.map((one) => ({ ...one, line: one.line + by }));

test('an error is new where there are more of its kind in its file than before, on whatever line', () => {
  fc.assert(
    fc.property(fc.array(error), fc.array(error), fc.nat(50), (before, added, by) => {
      const known = countErrors('tsc', before);
      expect(newErrors('tsc', moved(before, by), known)).toEqual([]);
      const now = moved([...added, ...before], by);
      expect(newErrors('tsc', now, known)).toHaveLength(added.length);
      expect(newErrors('eslint', now, known)).toHaveLength(now.length);
    }),
  );
});

test.each([
  ['names none', 'Segmentation fault'],
  ['names a part', 'a.ts(1,2): error TS1: no\nDiagnostics not shown: 5.'],
  ['was cut off', 'a.ts(1,2): error TS1: no\n[… 12 bytes left out …]\n'],
])('a checker that %s has nothing to compare', (_name, output) => {
  expect(errorsNamed({ parse: parseTypescript }, output, '/w', [])).toBeNull();
});
